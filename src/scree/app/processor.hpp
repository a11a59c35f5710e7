#pragma once

namespace scree {

/// Becomes the program for this processor's wider registers, `scree-v3`, where the processor has them, this
/// program was compiled without, and the other lies beside it or in ../libexec/scree; else returns. Results
/// are the same bits. SCREE_PROCESSOR=baseline in the environment keeps this one.
void become_program_for_processor(char** argv);

}  // namespace scree
