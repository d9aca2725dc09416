// NVIDIA's library of neural networks' operators (libcudnn, "cuDNN" in NVIDIA's documentation), through
// cudnnConvolutionForward.
//
// Images and weights as Convolution has them, which is its layout NHWC. float32: products and sums in float32, without
// TF32 (CUDNN_FMA_MATH). float16 and bfloat16: products and sums in float32, by tensor cores where it has such kernels,
// rounded once to a result of the operands' type. Of int8 it has no sums in int32 as a result.
//
// Of its algorithms, that one is taken which it finds to be the fastest (cudnnFindConvolutionForwardAlgorithm) among
// those that add up the products themselves, as the compiler's kernels do: by way of transforms (Winograd's, Fourier's)
// rounding depends on more than the number of terms.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/gpu_libraries.h"

namespace vantage::driver {

// The types of operands that it convolves.
const std::vector<DType>& cudnn_types();

// Throws Error for other types, for another border at the top than at the bottom or left than right, for tiles of
// channels that are kept apart (Conv2dShape::channelwise), and for sizes that its 32 bits do not hold.
void require_cudnn_shape(const Convolution& convolution);

// `file`: the library; empty: libcudnn.so.9 as the system finds it. Throws Error where there is none, where it is older
// than 9, or where it does not start. Its calls take their workspace when they are bound.
std::unique_ptr<GpuLibraryHandle> open_cudnn(std::shared_ptr<const DriverApi> api, const std::string& file,
                                             DriverApi::Stream stream);

// As far as that can be told without a GPU: throws Error as open_cudnn() does.
void require_cudnn(const std::string& file);

}  // namespace vantage::driver
