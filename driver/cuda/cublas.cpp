#include "driver/cuda/cublas.h"

#include <algorithm>
#include <array>
#include <climits>

#include "base/error.h"
#include "driver/cuda/cublas_api.h"

namespace vantage::driver {

namespace {

struct CublasTypes {
  int operand, result, compute;
};

CublasTypes cublas_types_of(DType dtype) {
  if (dtype == kInt8) return {kCublasInt8, kCublasInt32, kCublasInInt32};
  const int type = dtype == kFloat16 ? kCublasFloat16 : dtype == kBFloat16 ? kCublasBfloat16 : kCublasFloat32;
  return {type, type, kCublasInFloat32};
}

class Cublas final : public GpuLibraryHandle {
 public:
  Cublas(std::shared_ptr<const DriverApi> driver, const std::string& file, DriverApi::Stream stream)
      : driver_(std::move(driver)), api_(CublasApi::load(file)), stream_(stream) {
    require(api_.create(&handle_), "starting it");
    try {
      require(api_.set_stream(handle_, stream), "its stream");
      require(api_.set_math_mode(handle_, kCublasNoReducedPrecision), "how it rounds");
      int version = 0;
      require(api_.get_version(handle_, &version), "its version");
      version_ = fmt::format("cuBLAS {}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
    } catch (...) {
      api_.destroy(handle_);
      throw;
    }
  }
  ~Cublas() override { api_.destroy(handle_); }

  std::unique_ptr<BoundCall> bind(const LibraryCall& call, const std::vector<uint64_t>& tensors,
                                  const Workspace&) override;

  const std::string& version() const { return version_; }

  // C = A . B of matrices by rows is C^T = B^T . A^T of the same memory by columns, which is how BLAS reads it.
  void multiply(const MatmulShape& s, const std::vector<void*>& tensors) const {
    const CublasTypes types = cublas_types_of(s.dtype);
    const auto m = static_cast<int>(s.m), n = static_cast<int>(s.n), k = static_cast<int>(s.k);
    const int lda = s.transpose_a ? m : k, ldb = s.transpose_b ? k : n;
    const int operation_a = s.transpose_a ? kCublasTransposed : kCublasPlain,
              operation_b = s.transpose_b ? kCublasTransposed : kCublasPlain;
    // Of the type that is computed in.
    static constexpr float kOne = 1, kZero = 0;
    static constexpr int32_t kIntegerOne = 1, kIntegerZero = 0;
    const bool is_integer = types.compute == kCublasInInt32;
    const void* const one = is_integer ? static_cast<const void*>(&kIntegerOne) : &kOne;
    const void* const zero = is_integer ? static_cast<const void*>(&kIntegerZero) : &kZero;
    const int status =
        s.batch
            ? api_.gemm_batched(handle_, operation_b, operation_a, n, m, k, one, tensors[1], types.operand, ldb,
                                s.k * s.n, tensors[0], types.operand, lda, s.m * s.k, zero, tensors[2], types.result, n,
                                s.m * s.n, static_cast<int>(*s.batch), types.compute, kCublasDefaultAlgorithm)
            : api_.gemm(handle_, operation_b, operation_a, n, m, k, one, tensors[1], types.operand, ldb, tensors[0],
                        types.operand, lda, zero, tensors[2], types.result, n, types.compute, kCublasDefaultAlgorithm);
    if (status == kCublasSuccess) return;
    require(status, fmt::format("a product of {} x {} by {} x {} of {}", s.m, s.k, s.k, s.n, name(s.dtype)));
  }

 private:
  void require(int status, const std::string& what) const {
    if (status == kCublasSuccess) return;
    // A fault of what ran before may be what it met.
    driver_->require(driver_->stream_synchronize(stream_), "cublas", what);
    api_.require(status, what);
  }

  const std::shared_ptr<const DriverApi> driver_;
  const CublasApi api_;
  const DriverApi::Stream stream_;
  CublasApi::Handle handle_ = nullptr;
  std::string version_;
};

class CublasCall final : public BoundCall {
 public:
  CublasCall(const Cublas& cublas, const MatmulShape& shape, const std::vector<uint64_t>& tensors)
      : cublas_(cublas), shape_(shape) {
    for (const uint64_t address : tensors) tensors_.push_back(reinterpret_cast<void*>(address));  // NOLINT: a GPU's
  }

  const std::string& code() const override { return cublas_.version(); }
  std::string what() const override { return "a product by cuBLAS"; }
  void prepare(DriverApi::Stream) override {}
  void launch(DriverApi::Stream stream) override { enqueue(stream); }
  // It is its handle's.
  bool takes_any_stream() const override { return false; }
  void enqueue(DriverApi::Stream) override { cublas_.multiply(shape_, tensors_); }

 private:
  const Cublas& cublas_;
  const MatmulShape shape_;
  std::vector<void*> tensors_;
};

std::unique_ptr<BoundCall> Cublas::bind(const LibraryCall& call, const std::vector<uint64_t>& tensors,
                                        const Workspace&) {
  const auto& shape = std::get<MatmulShape>(call.work);
  require_cublas_shape(shape);
  return std::make_unique<CublasCall>(*this, shape, tensors);
}

}  // namespace

const std::vector<DType>& cublas_types() {
  static const std::vector<DType> kTypes = {kFloat32, kFloat16, kBFloat16, kInt8};
  return kTypes;
}

void require_cublas_shape(const MatmulShape& s) {
  require_library_type("cublas", cublas_types(), s.dtype);
  for (const int64_t size : {s.m, s.n, s.k, s.batch.value_or(1)}) {
    if (size < 1 || size > INT_MAX) fail("cublas: sizes are 1 to {}, not {}", INT_MAX, size);
  }
  if (s.dtype != kInt8) return;
  // Rows of A, of B and of C, and what is summed over.
  const std::array<int64_t, 4> sizes = {s.transpose_a ? s.m : s.k, s.transpose_b ? s.k : s.n, s.n, s.k};
  const auto odd = std::find_if(sizes.begin(), sizes.end(), [](int64_t size) { return size % 4 != 0; });
  if (odd == sizes.end()) return;
  fail(
      "cublas: products of int8 have k, n{} that are multiples of 4, and {} is none; fill the matrices up with zeros, "
      "or use float16",
      s.transpose_a ? " and m" : "", *odd);
}

std::unique_ptr<GpuLibraryHandle> open_cublas(std::shared_ptr<const DriverApi> api, const std::string& file,
                                              DriverApi::Stream stream) {
  return std::make_unique<Cublas>(std::move(api), file, stream);
}

void require_cublas(const std::string& file) {
  CublasApi::load(file);
}

}  // namespace vantage::driver
