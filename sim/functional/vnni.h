// AVX-512 VNNI: the instruction VPDPBUSD multiplies and adds 64 pairs of bytes at once.
//
// Highway detects the processor, but its target for this instruction (AVX3_DL) names the wrong compiler feature in the
// release that Debian 12 ships, so code that uses it carries its own attribute and is chosen by has_vnni().
#pragma once

#include <cstddef>

#include "sim/functional/kernels.h"

#if defined(__x86_64__)
#define VANTAGE_HAVE_VNNI 1
// On a function or lambda: compiled for that instruction set whatever the rest of the file is compiled for.
#define VANTAGE_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#else
#define VANTAGE_HAVE_VNNI 0
#endif

namespace vantage::sim {

// True when this processor, and the operating system, can run VPDPBUSD on 512-bit registers.
bool has_vnni();

// Layout of one packed INP element for the VNNI kernels: [batch][block_in] bytes, then one int32 correction per row,
// rounded up so that no element straddles cache lines more than it must. Bytes.
size_t vnni_inp_stride(const TileShape& shape);

// The GEMM kernel for this tile. Weights are packed as unsigned bytes, 128 added, and each input row carries the
// correction -128 * sum(x) from which its accumulation starts: sum x*(w+128) - 128*sum x = sum x*w.
// `lanes` outputs (8 or 16) share a vector, as packed. REQUIRES: has_vnni(), block_in a multiple of 4, block_out of
// lanes.
decltype(Kernels::gemm) vnni_gemm(const TileShape& shape, int lanes);

}  // namespace vantage::sim
