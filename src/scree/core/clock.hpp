#pragma once
/// Processor time.

namespace scree {

/// That the calling thread has used [s].
double thread_cpu_seconds();

}  // namespace scree
