#pragma once
/// Graphics drivers do not stand a limit on memory: where they get none they crash. This asks first.
namespace scree::view {

/// To be called before a context is made. Under a limit on the address space (ulimit -v), throws RunError
/// where it leaves less than a driver needs; and a driver that crashes all the same ends the program with one
/// line and status 1. Without a limit nothing is done.
void prepare_driver_memory();

}  // namespace scree::view
