// Stands in for libcublas.so where there is no GPU: the functions that driver/cuda/cublas.cpp calls, with the same
// names, on the memory and the streams of the driver that stands in for NVIDIA's.
//
// It is strict where the real one is: a call needs a current context; types go together as in the table of
// cublasGemmEx; alpha and beta are of the type that is computed in; leading dimensions hold what they lead; matrices
// are all in memory that was allocated; int8 is of multiples of four; and nothing is computed before the stream is
// waited for. C is not read where beta is zero, and what it holds then may be anything.
//
// Environment variables, read at every call:
//   STAND_IN_CUBLAS_CREATE   cublasCreate answers this code
//   STAND_IN_CUBLAS_STATUS   cublasGemmEx answers this code
#include <atomic>

#include "tests/driver/cuda/stand_in.h"

namespace {

using namespace vantage::test::stand_in;

enum Status : int { kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kExecutionFailed = 13, kNotSupported = 15 };
enum Type : int { kFloat = 0, kHalf = 2, kInt8 = 3, kInt32 = 10, kBfloat = 14 };
enum Compute : int { kFloats = 68, kIntegers = 72 };

struct Handle {
  void* stream = nullptr;
  int math = 0;
};

std::atomic<long> handles = 0;

bool is_narrow(int type) {
  return type == kHalf || type == kBfloat;
}

int64_t bytes_of(int type) {
  return type == kInt8 ? 1 : is_narrow(type) ? 2 : 4;
}

// A matrix by columns.
struct Matrix {
  char* data;
  int type;
  int64_t rows, columns, leading;

  bool is_there() const {
    return is_inside(data, static_cast<size_t>(((columns - 1) * leading + rows) * bytes_of(type)));
  }
  int64_t at(int64_t row, int64_t column) const { return column * leading + row; }
  double number(int64_t row, int64_t column) const {
    const int64_t i = at(row, column);
    if (type == kInt8) return element<int8_t>(data, i);
    if (type == kBfloat) return from_bfloat16(element<uint16_t>(data, i));
    return type == kHalf ? from_half(element<uint16_t>(data, i)) : element<float>(data, i);
  }
};

// As tests look into it: op(A) is m x k, op(B) is k x n, C is m x n.
void multiply(const Matrix& a, bool ta, const Matrix& b, bool tb, const Matrix& c, int64_t k) {
  for (int64_t column = 0; column < c.columns; ++column) {
    for (int64_t row = 0; row < c.rows; ++row) {
      double sum = 0;  // of integers exact
      for (int64_t i = 0; i < k; ++i) {
        const double product =
            (ta ? a.number(i, row) : a.number(row, i)) * (tb ? b.number(column, i) : b.number(i, column));
        sum = c.type == kInt32 ? sum + product : static_cast<float>(sum + product);
      }
      const int64_t at = c.at(row, column);
      if (c.type == kInt32) set_element(c.data, at, static_cast<int32_t>(sum));
      if (c.type == kHalf) set_element(c.data, at, to_half(static_cast<float>(sum)));
      if (c.type == kBfloat) set_element(c.data, at, to_bfloat16(static_cast<float>(sum)));
      if (c.type == kFloat) set_element(c.data, at, static_cast<float>(sum));
    }
  }
}

// Whether a scalar of the type that is computed in is this number.
bool is_scalar(const void* scalar, int compute, int number) {
  if (compute == kIntegers) return element<int32_t>(scalar, 0) == number;
  return element<float>(scalar, 0) == static_cast<float>(number);
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
  const long code = knob("STAND_IN_CUBLAS_CREATE", kSuccess);
  if (code != kSuccess) return static_cast<int>(code);
  if (!is_ready()) return kNotInitialized;
  *handle = new Handle;
  ++handles;
  return kSuccess;
}

int cublasDestroy_v2(void* handle) {
  if (!is_ready()) return kNotInitialized;
  delete static_cast<Handle*>(handle);
  --handles;
  return kSuccess;
}

int cublasGetVersion_v2(void*, int* version) {
  *version = 130201;
  return kSuccess;
}

int cublasSetStream_v2(void* handle, void* stream) {
  static_cast<Handle*>(handle)->stream = stream;
  return kSuccess;
}

int cublasSetMathMode(void* handle, int mode) {
  static_cast<Handle*>(handle)->math = mode;
  return kSuccess;
}

const char* cublasGetStatusName(int status) {
  switch (status) {
    case 3: return "CUBLAS_STATUS_ALLOC_FAILED";
    case kInvalidValue: return "CUBLAS_STATUS_INVALID_VALUE";
    case 8: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case kExecutionFailed: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case kNotSupported: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "CUBLAS_STATUS_NOT_INITIALIZED";
  }
}

const char* cublasGetStatusString(int) {
  return "what it means";
}

int cublasGemmStridedBatchedEx(void* handle, int operation_a, int operation_b, int m, int n, int k, const void* alpha,
                               const void* a, int type_a, int lda, long long stride_a, const void* b, int type_b,
                               int ldb, long long stride_b, const void* beta, void* c, int type_c, int ldc,
                               long long stride_c, int count, int compute, int algorithm) {
  if (const long code = knob("STAND_IN_CUBLAS_STATUS", kSuccess); code != kSuccess) return static_cast<int>(code);
  const auto* own = static_cast<Handle*>(handle);
  if (!is_ready() || own->stream == nullptr) return kExecutionFailed;
  if (m < 1 || n < 1 || k < 1 || count < 1 || algorithm != -1) return kInvalidValue;
  const bool ta = operation_a == 1, tb = operation_b == 1;
  const bool integers = type_a == kInt8 && type_c == kInt32 && compute == kIntegers;
  const bool floats = (type_a == kFloat || is_narrow(type_a)) && type_c == type_a && compute == kFloats;
  if (type_b != type_a || (!integers && !floats)) return kNotSupported;
  if (is_narrow(type_a) && own->math != 16) return kNotSupported;  // it might round in between
  if (lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m) return kInvalidValue;
  if (integers && (m % 4 != 0 || k % 4 != 0 || lda % 4 != 0 || ldb % 4 != 0 || ldc % 4 != 0)) return kNotSupported;
  if (!is_scalar(alpha, compute, 1) || !is_scalar(beta, compute, 0)) return kInvalidValue;
  for (int i = 0; i < count; ++i) {
    const auto part = [&](const void* data, int type, long long stride) {
      return const_cast<char*>(static_cast<const char*>(data)) + i * stride * bytes_of(type);
    };
    const Matrix left{part(a, type_a, stride_a), type_a, ta ? k : m, ta ? m : k, lda};
    const Matrix right{part(b, type_b, stride_b), type_b, tb ? n : k, tb ? k : n, ldb};
    const Matrix result{part(c, type_c, stride_c), type_c, m, n, ldc};
    if (!left.is_there() || !right.is_there() || !result.is_there()) return kInvalidValue;
    submit(own->stream, [=] {
      multiply(left, ta, right, tb, result, k);
      return 0;
    });
  }
  return kSuccess;
}

int cublasGemmEx(void* handle, int operation_a, int operation_b, int m, int n, int k, const void* alpha, const void* a,
                 int type_a, int lda, const void* b, int type_b, int ldb, const void* beta, void* c, int type_c,
                 int ldc, int compute, int algorithm) {
  return cublasGemmStridedBatchedEx(handle, operation_a, operation_b, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb,
                                    0, beta, c, type_c, ldc, 0, 1, compute, algorithm);
}

// For tests that look into it: handles that there are.
long stand_in_cublas_handles() {
  return handles;
}

}  // extern "C"
