// Stands in for libcudnn.so where there is no GPU: the functions that driver/cuda/cudnn.cpp calls, with the same names,
// on the memory and the streams of the driver that stands in for NVIDIA's.
//
// It is strict where the real one is: a call needs a current context; descriptions must be whole and go together; an
// algorithm runs only with the math that it was found with, and in a workspace that is there; and nothing is computed
// before the stream is waited for. Products of float32 are of TF32, unless that was forbidden. Its fastest algorithm is
// a transform, which gives wrong results.
//
// Environment variables, read at every call:
//   STAND_IN_CUDNN_CREATE      cudnnCreate answers this code
//   STAND_IN_CUDNN_STATUS      cudnnConvolutionForward answers this code
//   STAND_IN_CUDNN_FOUND (4)   so many algorithms can do it
//   STAND_IN_CUDNN_WORKSPACE   bytes that each asks for (1000)
#include <array>
#include <atomic>

#include "tests/driver/cuda/stand_in.h"

namespace {

using namespace vantage::test::stand_in;

enum Status : int { kSuccess = 0, kNotInitialized = 1001, kBadParam = 2000, kNotSupported = 3000, kExecution = 5000 };
enum Algorithm : int { kImplicitGemm = 0, kPrecompGemm = 1, kFft = 4, kWinograd = 6 };
enum Math : int { kDefault = 0, kTensorCores = 1, kFma = 3 };
constexpr int kHalf = 2, kBfloat = 9, kNhwc = 1, kCrossCorrelation = 1, kFloat = 0;

std::atomic<long> handles = 0, descriptions = 0;

bool is_narrow(int type) {
  return type == kHalf || type == kBfloat;
}

struct Handle {
  void* stream = nullptr;
};

// A tensor, or weights, as [n][h][w][c].
struct Tensor {
  int format = -1, type = -1, n = 0, c = 0, h = 0, w = 0;

  size_t bytes() const { return size_t{1} * n * c * h * w * (is_narrow(type) ? 2 : 4); }
  int64_t at(int64_t in, int64_t row, int64_t column, int64_t ic) const {
    return ((in * h + row) * w + column) * c + ic;
  }
};

struct Convolution {
  int pad_h = 0, pad_w = 0, stride_h = 0, stride_w = 0, dilation_h = 0, dilation_w = 0, mode = -1, compute = -1;
  int math = kDefault;

  static int out(int size, int kernel, int pad, int stride, int dilation) {
    return (size + 2 * pad - ((kernel - 1) * dilation + 1)) / stride + 1;
  }
};

struct Performance {
  int algorithm, status;
  float time;
  size_t memory;
  int determinism, math;
  std::array<int, 3> reserved;
};

bool fit(const Tensor& x, const Tensor& w, const Convolution& p, const Tensor& y) {
  if (x.format != kNhwc || w.format != kNhwc || y.format != kNhwc || x.type != w.type || x.type != y.type) return false;
  if (p.mode != kCrossCorrelation || p.compute != kFloat || x.c != w.c || y.c != w.n || y.n != x.n) return false;
  return y.h == Convolution::out(x.h, w.h, p.pad_h, p.stride_h, p.dilation_h) &&
         y.w == Convolution::out(x.w, w.w, p.pad_w, p.stride_w, p.dilation_w) && y.h > 0 && y.w > 0;
}

// With 10 bits of its fraction.
float as_tf32(float value) {
  auto bits = element<uint32_t>(&value, 0);
  bits &= ~uint32_t{0x1fff};
  return element<float>(&bits, 0);
}

float number(const void* data, const Tensor& t, int64_t at, int math) {
  if (t.type == kHalf) return from_half(element<uint16_t>(data, at));
  if (t.type == kBfloat) return from_bfloat16(element<uint16_t>(data, at));
  const auto value = element<float>(data, at);
  return math == kFma ? value : as_tf32(value);
}

void convolve(const Tensor& x, const void* images, const Tensor& w, const void* weights, const Convolution& p,
              const Tensor& y, void* results, bool wrong) {
  for (int64_t i = 0; i < int64_t{1} * y.n * y.h * y.w * y.c; ++i) {
    const int64_t c = i % y.c, column = i / y.c % y.w, row = i / y.c / y.w % y.h, n = i / y.c / y.w / y.h;
    float sum = 0;
    for (int64_t k = 0; k < int64_t{1} * w.h * w.w * w.c; ++k) {
      const int64_t ic = k % w.c, kw = k / w.c % w.w, kh = k / w.c / w.w;
      const int64_t r = row * p.stride_h + kh * p.dilation_h - p.pad_h;
      const int64_t q = column * p.stride_w + kw * p.dilation_w - p.pad_w;
      if (r < 0 || r >= x.h || q < 0 || q >= x.w) continue;
      sum += number(images, x, x.at(n, r, q, ic), p.math) * number(weights, w, w.at(c, kh, kw, ic), p.math);
    }
    if (wrong) sum += 1;
    if (is_narrow(y.type)) {
      set_element(results, i, y.type == kHalf ? to_half(sum) : to_bfloat16(sum));
    } else {
      set_element(results, i, sum);
    }
  }
}

size_t workspace_of(int algorithm) {
  return algorithm == kImplicitGemm ? 0 : static_cast<size_t>(knob("STAND_IN_CUDNN_WORKSPACE", 1000));
}

template <typename Kind>
int create(void** description) {
  *description = new Kind;
  ++descriptions;
  return kSuccess;
}

template <typename Kind>
int destroy(void* description) {
  delete static_cast<Kind*>(description);
  --descriptions;
  return kSuccess;
}

int set(void* tensor, int format, int type, int n, int c, int h, int w) {
  if (n < 1 || c < 1 || h < 1 || w < 1) return kBadParam;
  *static_cast<Tensor*>(tensor) = {format, type, n, c, h, w};
  return kSuccess;
}

}  // namespace

extern "C" {

size_t cudnnGetVersion() {
  return 91400;
}

const char* cudnnGetErrorString(int status) {
  switch (status) {
    case kNotInitialized: return "CUDNN_STATUS_NOT_INITIALIZED";
    case 1008: return "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED";
    case 3005: return "CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER";
    case kNotSupported: return "CUDNN_STATUS_NOT_SUPPORTED";
    case kExecution: return "CUDNN_STATUS_EXECUTION_FAILED";
    default: return "CUDNN_STATUS_BAD_PARAM";
  }
}

void cudnnGetLastErrorString(char* text, size_t) {
  std::strcpy(text, "what it says");  // NOLINT: a short text
}

int cudnnCreate(void** handle) {
  const long code = knob("STAND_IN_CUDNN_CREATE", kSuccess);
  if (code != kSuccess) return static_cast<int>(code);
  if (!is_ready()) return kNotInitialized;
  *handle = new Handle;
  ++handles;
  return kSuccess;
}

int cudnnDestroy(void* handle) {
  if (!is_ready()) return kNotInitialized;
  delete static_cast<Handle*>(handle);
  --handles;
  return kSuccess;
}

int cudnnSetStream(void* handle, void* stream) {
  static_cast<Handle*>(handle)->stream = stream;
  return kSuccess;
}

int cudnnCreateTensorDescriptor(void** tensor) {
  return create<Tensor>(tensor);
}
int cudnnSetTensor4dDescriptor(void* tensor, int format, int type, int n, int c, int h, int w) {
  return set(tensor, format, type, n, c, h, w);
}
int cudnnDestroyTensorDescriptor(void* tensor) {
  return destroy<Tensor>(tensor);
}

int cudnnCreateFilterDescriptor(void** filter) {
  return create<Tensor>(filter);
}
int cudnnSetFilter4dDescriptor(void* filter, int type, int format, int k, int c, int h, int w) {
  return set(filter, format, type, k, c, h, w);
}
int cudnnDestroyFilterDescriptor(void* filter) {
  return destroy<Tensor>(filter);
}

int cudnnCreateConvolutionDescriptor(void** convolution) {
  return create<Convolution>(convolution);
}
int cudnnSetConvolution2dDescriptor(void* convolution, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h,
                                    int dilation_w, int mode, int compute) {
  if (pad_h < 0 || pad_w < 0 || stride_h < 1 || stride_w < 1 || dilation_h < 1 || dilation_w < 1) return kBadParam;
  *static_cast<Convolution*>(convolution) = {pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, mode, compute};
  return kSuccess;
}
int cudnnSetConvolutionMathType(void* convolution, int math) {
  static_cast<Convolution*>(convolution)->math = math;
  return kSuccess;
}
int cudnnDestroyConvolutionDescriptor(void* convolution) {
  return destroy<Convolution>(convolution);
}

// The fastest first, and behind them those that cannot do it.
int cudnnFindConvolutionForwardAlgorithm(void* handle, void* x, void* w, void* convolution, void* y, int wanted,
                                         int* found, Performance* all) {
  if (!is_ready() || static_cast<Handle*>(handle)->stream == nullptr) return kExecution;
  const auto& p = *static_cast<Convolution*>(convolution);
  if (!fit(*static_cast<Tensor*>(x), *static_cast<Tensor*>(w), p, *static_cast<Tensor*>(y))) return kBadParam;
  const int can = static_cast<int>(knob("STAND_IN_CUDNN_FOUND", 4));
  *found = 0;
  for (const int algorithm : {kWinograd, kFft, kPrecompGemm, kImplicitGemm}) {
    if (*found == wanted) break;
    const bool does = *found < can;
    all[*found] = {algorithm, does ? kSuccess : kNotSupported, does ? 0.5F : -1, workspace_of(algorithm), 1, p.math,
                   {}};
    ++*found;
  }
  return kSuccess;
}

int cudnnGetConvolutionForwardWorkspaceSize(void*, void*, void*, void*, void*, int algorithm, size_t* bytes) {
  *bytes = workspace_of(algorithm);
  return kSuccess;
}

int cudnnConvolutionForward(void* handle, const void* alpha, void* x, const void* images, void* w, const void* weights,
                            void* convolution, int algorithm, void* workspace, size_t bytes, const void* beta, void* y,
                            void* results) {
  if (const long code = knob("STAND_IN_CUDNN_STATUS", kSuccess); code != kSuccess) return static_cast<int>(code);
  auto* const stream = static_cast<Handle*>(handle)->stream;
  if (!is_ready() || stream == nullptr) return kExecution;
  const Tensor in = *static_cast<Tensor*>(x), filter = *static_cast<Tensor*>(w), out = *static_cast<Tensor*>(y);
  const Convolution p = *static_cast<Convolution*>(convolution);
  if (!fit(in, filter, p, out)) return kBadParam;
  if (element<float>(alpha, 0) != 1 || element<float>(beta, 0) != 0) return kBadParam;
  if (p.math == kTensorCores && !is_narrow(in.type)) return kNotSupported;
  if (bytes < workspace_of(algorithm) || (bytes > 0 && !is_inside(workspace, bytes))) return kBadParam;
  const bool there =
      is_inside(images, in.bytes()) && is_inside(weights, filter.bytes()) && is_inside(results, out.bytes());
  if (!there) return kBadParam;
  submit(stream, [=] {
    if (bytes > 0) std::memset(workspace, 0xcd, bytes);
    convolve(in, images, filter, weights, p, out, results, algorithm == kFft || algorithm == kWinograd);
    return 0;
  });
  return kSuccess;
}

// For tests that look into it: handles and descriptions that there are.
long stand_in_cudnn_objects() {
  return handles + descriptions;
}

}  // extern "C"
