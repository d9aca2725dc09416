// The part of cuDNN that convolutions need.
//
// Thread safety: functions may be called from any thread; what they work with has rules of its own.
#pragma once

#include <cstddef>
#include <string>

#include "driver/cuda/driver_api.h"

namespace vantage::driver {

// Numbers of cudnn_graph.h, cudnn_ops.h and cudnn_cnn.h. Of codes, thousands say what kind they are of.
enum CudnnStatus : int {
  kCudnnSuccess = 0,
  kCudnnNotInitialized = 1001,
  kCudnnMismatch = 1002,
  kCudnnSubLibrary = 1008,
  kCudnnNotSupported = 3000,
  kCudnnOldDriver = 3005,
  kCudnnHostMemory = 4003,
  kCudnnMemory = 4004
};
enum CudnnType : int { kCudnnFloat = 0, kCudnnHalf = 2, kCudnnBfloat16 = 9 };
enum CudnnFormat : int { kCudnnNhwc = 1 };
enum CudnnMath : int { kCudnnDefaultMath = 0, kCudnnTensorCores = 1, kCudnnFma = 3 };
enum CudnnMode : int { kCudnnCrossCorrelation = 1 };
enum CudnnAlgorithm : int { kCudnnImplicitGemm = 0, kCudnnImplicitPrecompGemm = 1, kCudnnGemm = 2, kCudnnDirect = 3 };

// One of its algorithms, as it was tried.
struct CudnnPerformance {
  int algorithm;
  int status;
  float milliseconds;
  size_t workspace;
  int determinism;
  int math;
  int reserved[3];  // NOLINT: as the library has it
};

// The functions by what they do.
struct CudnnApi {
  using Handle = void*;
  using Tensor = void*;       // what a tensor is like,
  using Filter = void*;       // weights,
  using Convolution = void*;  // and what is done with them

  size_t (*get_version)();
  const char* (*error_text)(int status);            // its name
  void (*last_error)(char* text, size_t capacity);  // what the last call that failed says of it
  int (*create)(Handle* handle);
  int (*destroy)(Handle handle);
  int (*set_stream)(Handle handle, DriverApi::Stream stream);

  int (*create_tensor)(Tensor* tensor);
  int (*set_tensor)(Tensor tensor, int format, int type, int batch, int channels, int height, int width);
  int (*destroy_tensor)(Tensor tensor);
  int (*create_filter)(Filter* filter);
  int (*set_filter)(Filter filter, int type, int format, int out_channels, int in_channels, int height, int width);
  int (*destroy_filter)(Filter filter);
  int (*create_convolution)(Convolution* convolution);
  int (*set_convolution)(Convolution convolution, int pad_height, int pad_width, int stride_height, int stride_width,
                         int dilation_height, int dilation_width, int mode, int compute_type);
  int (*set_math)(Convolution convolution, int math);
  int (*destroy_convolution)(Convolution convolution);

  int (*find)(Handle handle, Tensor x, Filter w, Convolution convolution, Tensor y, int wanted, int* found,
              CudnnPerformance* performances);
  int (*workspace_size)(Handle handle, Tensor x, Filter w, Convolution convolution, Tensor y, int algorithm,
                        size_t* bytes);
  int (*forward)(Handle handle, const void* alpha, Tensor x, const void* images, Filter w, const void* weights,
                 Convolution convolution, int algorithm, void* workspace, size_t workspace_bytes, const void* beta,
                 Tensor y, void* results);

  // See open_cudnn().
  static CudnnApi load(const std::string& file);
  // "9.14.0"
  std::string version() const;
  // Throws Error for a code that is not success: "cudnn: WHAT: the code", what the library says of it, and what it
  // means.
  void require(int status, const std::string& what) const;
};

}  // namespace vantage::driver
