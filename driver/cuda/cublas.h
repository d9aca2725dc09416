// NVIDIA's library of matrix products (libcublas, "cuBLAS" in NVIDIA's documentation), through cublasGemmEx.
//
// float32: products and sums in float32, without TF32 (CUBLAS_COMPUTE_32F). float16 and bfloat16: products and
// sums in float32, by tensor cores, rounded once to a result of the operands' type. int8: sums in int32, which are the
// result.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/shape/matmul.h"
#include "driver/cuda/gpu_libraries.h"

namespace vantage::driver {

// The types of operands that it multiplies.
const std::vector<DType>& cublas_types();

// Of int8 it takes matrices alone whose rows, in memory, are of multiples of four elements ("Tensor Core Usage" in its
// documentation). Throws Error for others, for other types, and for sizes that its 32 bits do not hold.
void require_cublas_shape(const MatmulShape& shape);

// `file`: the library; empty: libcublas.so.13 or .12 as the system finds it. Throws Error where there is none, where it
// is older than 12, or where it does not start.
std::unique_ptr<GpuLibraryHandle> open_cublas(std::shared_ptr<const DriverApi> api, const std::string& file,
                                              DriverApi::Stream stream);

// As far as that can be told without a GPU: throws Error as open_cublas() does.
void require_cublas(const std::string& file);

}  // namespace vantage::driver
