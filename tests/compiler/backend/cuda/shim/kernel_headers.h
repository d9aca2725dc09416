// What stands before kernels as C++ (as_cpp.h): between what CUDA has of itself and what stands in for instructions is
// the compiler's own, so that they are in this order. The build compiles it once for all kernels
// (tests/CMakeLists.txt).
#pragma once

// clang-format off
#include "tests/compiler/backend/cuda/shim/cuda_on_processor.h"
#include "compiler/backend/cuda/device/vantage.cuh"
#include "tests/compiler/backend/cuda/shim/copies.h"
#include "tests/compiler/backend/cuda/shim/tensor_cores.h"
#include "tests/compiler/backend/cuda/shim/warpgroups.h"
#include "tests/compiler/backend/cuda/shim/call.h"
// clang-format on
