#pragma once
/// All that a function calls becomes part of it: for short functions that a step calls one after the other.
/// Not under sanitizers, whose checks would make of it more than a compiler can bear.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCREE_FLAT
#else
#define SCREE_FLAT [[gnu::flatten]]
#endif
