// The part of cuBLAS that matrix products need.
//
// Thread safety: functions may be called from any thread; what they work with has rules of its own.
#pragma once

#include <string>

#include "driver/cuda/driver_api.h"

namespace vantage::driver {

// Numbers of cublas_api.h and library_types.h.
enum CublasStatus : int { kCublasSuccess = 0, kCublasMemory = 3, kCublasArchitecture = 8, kCublasNotSupported = 15 };
enum CublasOperation : int { kCublasPlain = 0, kCublasTransposed = 1 };
enum CublasType : int {
  kCublasFloat32 = 0,
  kCublasFloat16 = 2,
  kCublasInt8 = 3,
  kCublasInt32 = 10,
  kCublasBfloat16 = 14
};
// In what it multiplies and adds; of floats without TF32.
enum CublasCompute : int { kCublasInFloat32 = 68, kCublasInInt32 = 72 };
// Parts of a sum that several blocks make are added up in the type that is computed in, too, not in the result's.
inline constexpr int kCublasNoReducedPrecision = 16;
inline constexpr int kCublasDefaultAlgorithm = -1;

// The functions by what they do. Matrices lie by columns, one after the other as far apart as their leading dimension
// says, in elements.
struct CublasApi {
  using Handle = void*;

  int (*create)(Handle* handle);
  int (*destroy)(Handle handle);
  int (*get_version)(Handle handle, int* version);
  int (*set_stream)(Handle handle, DriverApi::Stream stream);
  int (*set_math_mode)(Handle handle, int mode);
  const char* (*status_name)(int status);
  const char* (*status_text)(int status);
  int (*gemm)(Handle handle, int operation_a, int operation_b, int m, int n, int k, const void* alpha, const void* a,
              int type_a, int lda, const void* b, int type_b, int ldb, const void* beta, void* c, int type_c, int ldc,
              int compute, int algorithm);
  int (*gemm_batched)(Handle handle, int operation_a, int operation_b, int m, int n, int k, const void* alpha,
                      const void* a, int type_a, int lda, long long stride_a, const void* b, int type_b, int ldb,
                      long long stride_b, const void* beta, void* c, int type_c, int ldc, long long stride_c, int count,
                      int compute, int algorithm);

  // See open_cublas().
  static CublasApi load(const std::string& file);
  // Throws Error for a code that is not success: "cublas: WHAT: the code", and what it means.
  void require(int status, const std::string& what) const;
};

}  // namespace vantage::driver
