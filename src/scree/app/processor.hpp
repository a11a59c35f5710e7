#pragma once

namespace scree {

/// Becomes the program for this processor's wider registers, `scree-v4` (AVX-512) or `scree-v3` (AVX2), where
/// the processor has them, this program was compiled without, and the other lies beside it or in
/// ../libexec/scree; else returns. Results are the same bits. SCREE_PROCESSOR=v3 in the environment goes no
/// further than that, SCREE_PROCESSOR=baseline keeps this one.
void become_program_for_processor(char** argv);

}  // namespace scree
