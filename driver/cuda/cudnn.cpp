#include "driver/cuda/cudnn.h"

#include <algorithm>
#include <array>
#include <climits>

#include "base/error.h"
#include "driver/cuda/cudnn_api.h"

namespace vantage::driver {

namespace {

int as_int32(int64_t size) {
  return static_cast<int>(size);  // require_cudnn_shape() saw to it
}

CudnnType cudnn_type_of(DType dtype) {
  return dtype == kFloat16 ? kCudnnHalf : dtype == kBFloat16 ? kCudnnBfloat16 : kCudnnFloat;
}

// What a call is about, as the library has it.
class CudnnDescriptors {
 public:
  CudnnDescriptors(const CudnnApi& api, const Convolution& c) : api_(api) {
    try {
      const Conv2dShape& s = c.shape;
      const int type = cudnn_type_of(c.dtype);
      api.require(api.create_tensor(&x), "a description");
      api.require(api.create_filter(&w), "a description");
      api.require(api.create_tensor(&y), "a description");
      api.require(api.create_convolution(&convolution), "a description");
      api.require(api.set_tensor(x, kCudnnNhwc, type, as_int32(s.batch), as_int32(s.in_channels), as_int32(s.height),
                                 as_int32(s.width)),
                  "the images");
      api.require(api.set_filter(w, type, kCudnnNhwc, as_int32(s.out_channels), as_int32(s.in_channels),
                                 as_int32(s.kernel_h), as_int32(s.kernel_w)),
                  "the weights");
      api.require(api.set_tensor(y, kCudnnNhwc, type, as_int32(s.batch), as_int32(s.out_channels),
                                 as_int32(s.out_height()), as_int32(s.out_width())),
                  "the results");
      api.require(api.set_convolution(convolution, as_int32(s.pad.top), as_int32(s.pad.left), as_int32(s.stride.rows),
                                      as_int32(s.stride.columns), as_int32(s.dilation.rows),
                                      as_int32(s.dilation.columns), kCudnnCrossCorrelation, kCudnnFloat),
                  "the convolution");
      set_math(c.dtype.is_narrow_float() ? kCudnnTensorCores : kCudnnFma);
    } catch (...) {
      destroy();
      throw;
    }
  }
  CudnnDescriptors(const CudnnDescriptors&) = delete;
  CudnnDescriptors& operator=(const CudnnDescriptors&) = delete;
  ~CudnnDescriptors() { destroy(); }

  void set_math(int math) { api_.require(api_.set_math(convolution, math), "how it multiplies"); }

  CudnnApi::Tensor x = nullptr, y = nullptr;
  CudnnApi::Filter w = nullptr;
  CudnnApi::Convolution convolution = nullptr;

 private:
  void destroy() {
    if (x != nullptr) api_.destroy_tensor(x);
    if (w != nullptr) api_.destroy_filter(w);
    if (y != nullptr) api_.destroy_tensor(y);
    if (convolution != nullptr) api_.destroy_convolution(convolution);
  }

  const CudnnApi& api_;
};

const char* name_of_cudnn_algorithm(int algorithm) {
  static constexpr std::array kNames = {"IMPLICIT_GEMM", "IMPLICIT_PRECOMP_GEMM", "GEMM", "DIRECT"};
  return kNames.at(static_cast<size_t>(algorithm));
}

std::string text_of(const Convolution& c) {
  const Conv2dShape& s = c.shape;
  return fmt::format("a convolution of {}x{}x{}x{} to {}, {}x{}, of {}", s.batch, s.in_channels, s.height, s.width,
                     s.out_channels, s.kernel_h, s.kernel_w, name(c.dtype));
}

class Cudnn final : public GpuLibraryHandle {
 public:
  Cudnn(std::shared_ptr<const DriverApi> driver, const std::string& file, DriverApi::Stream stream)
      : driver_(std::move(driver)), api_(CudnnApi::load(file)), stream_(stream) {
    require(api_.create(&handle_), "starting it");
    try {
      require(api_.set_stream(handle_, stream), "its stream");
    } catch (...) {
      api_.destroy(handle_);
      throw;
    }
  }
  ~Cudnn() override { api_.destroy(handle_); }

  std::unique_ptr<BoundCall> bind(const LibraryCall& call, const std::vector<uint64_t>& tensors,
                                  const Workspace& workspace) override;

  const CudnnApi& api() const { return api_; }

  // The fastest of those that are wanted.
  CudnnPerformance find(const CudnnDescriptors& d, const Convolution& c) const {
    std::array<CudnnPerformance, 16> all{};  // there are eight, some both with tensor cores and without
    int count = 0;
    require(api_.find(handle_, d.x, d.w, d.convolution, d.y, static_cast<int>(all.size()), &count, all.data()),
            text_of(c));
    const auto end = all.begin() + count;
    const auto found = std::find_if(all.begin(), end, [&](const CudnnPerformance& p) {
      const bool multiplies_so = c.dtype.is_narrow_float() || p.math == kCudnnFma;
      return p.status == kCudnnSuccess && p.algorithm <= kCudnnDirect && multiplies_so;
    });
    if (found != end) return *found;
    fail(
        "cudnn: {}: none of its algorithms that add up the products can do this on this GPU; another number of "
        "channels may help",
        text_of(c));
  }

  void convolve(const CudnnDescriptors& d, const CudnnPerformance& how, const std::vector<void*>& tensors,
                void* workspace, const Convolution& c) const {
    static constexpr float kOne = 1, kZero = 0;
    const int status = api_.forward(handle_, &kOne, d.x, tensors[0], d.w, tensors[1], d.convolution, how.algorithm,
                                    workspace, how.workspace, &kZero, d.y, tensors[2]);
    if (status != kCudnnSuccess) require(status, text_of(c));
  }

 private:
  void require(int status, const std::string& what) const {
    if (status == kCudnnSuccess) return;
    // A fault of what ran before may be what it met.
    driver_->require(driver_->stream_synchronize(stream_), "cudnn", what);
    api_.require(status, what);
  }

  const std::shared_ptr<const DriverApi> driver_;
  const CudnnApi api_;
  const DriverApi::Stream stream_;
  CudnnApi::Handle handle_ = nullptr;
};

class CudnnCall final : public BoundCall {
 public:
  CudnnCall(const Cudnn& cudnn, const Convolution& convolution, const std::vector<uint64_t>& tensors,
            const Workspace& workspace)
      : cudnn_(cudnn), convolution_(convolution), descriptors_(cudnn.api(), convolution) {
    for (const uint64_t address : tensors) tensors_.push_back(pointer(address));
    how_ = cudnn.find(descriptors_, convolution);
    descriptors_.set_math(how_.math);
    if (how_.workspace > 0) workspace_ = pointer(workspace(Bytes(how_.workspace)));
    code_ = fmt::format("cuDNN {}, {} with {} bytes of workspace", cudnn.api().version(),
                        name_of_cudnn_algorithm(how_.algorithm), how_.workspace);
  }

  const std::string& code() const override { return code_; }
  std::string what() const override { return "a convolution by cuDNN"; }
  void prepare(DriverApi::Stream) override {}
  void launch(DriverApi::Stream stream) override { enqueue(stream); }
  // It is its handle's.
  bool takes_any_stream() const override { return false; }
  void enqueue(DriverApi::Stream) override { cudnn_.convolve(descriptors_, how_, tensors_, workspace_, convolution_); }

 private:
  static void* pointer(uint64_t address) { return reinterpret_cast<void*>(address); }  // NOLINT: a GPU's

  const Cudnn& cudnn_;
  const Convolution convolution_;
  CudnnDescriptors descriptors_;
  std::vector<void*> tensors_;
  CudnnPerformance how_{};
  void* workspace_ = nullptr;
  std::string code_;
};

std::unique_ptr<BoundCall> Cudnn::bind(const LibraryCall& call, const std::vector<uint64_t>& tensors,
                                       const Workspace& workspace) {
  const auto& convolution = std::get<Convolution>(call.work);
  require_cudnn_shape(convolution);
  return std::make_unique<CudnnCall>(*this, convolution, tensors, workspace);
}

}  // namespace

const std::vector<DType>& cudnn_types() {
  static const std::vector<DType> kTypes = {kFloat32, kFloat16, kBFloat16};
  return kTypes;
}

void require_cudnn_shape(const Convolution& c) {
  require_library_type("cudnn", cudnn_types(), c.dtype);
  const Conv2dShape& s = c.shape;
  check_conv2d_shape(s);
  for (const int64_t size : {s.batch, s.in_channels, s.height, s.width, s.out_channels, s.kernel_h, s.kernel_w,
                             s.padded_height(), s.padded_width(), s.reach_h(), s.reach_w(), s.stride.rows,
                             s.stride.columns, s.dilation.rows, s.dilation.columns}) {
    if (size > INT_MAX) fail("cudnn: sizes are at most {}, and {} is not", INT_MAX, size);
  }
  if (s.pad.top != s.pad.bottom || s.pad.left != s.pad.right) {
    fail(
        "cudnn: a border is as high at the top as at the bottom and as wide left as right, and {} is not; pad the "
        "images themselves",
        to_string(s.pad));
  }
  if (s.channelwise) fail("cudnn: tiles of channels that are kept apart are no convolution of cuDNN's");
}

std::unique_ptr<GpuLibraryHandle> open_cudnn(std::shared_ptr<const DriverApi> api, const std::string& file,
                                             DriverApi::Stream stream) {
  return std::make_unique<Cudnn>(std::move(api), file, stream);
}

void require_cudnn(const std::string& file) {
  CudnnApi::load(file);
}

}  // namespace vantage::driver
