// A call of one of NVIDIA's libraries as data: what is bound to tensors on a GPU in the place of a program.
//
// Thread safety: values and functions without state.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/shape/conv2d.h"
#include "base/shape/matmul.h"
#include "native/signature.h"

namespace vantage::driver {

// Operands of `dtype`, floats to floats of the same type: images [batch][height][width][channels] and weights
// [out channels][kernel rows][kernel columns][in channels].
struct Convolution {
  Conv2dShape shape;
  DType dtype = kFloat32;
  bool operator==(const Convolution&) const = default;
};

struct LibraryCall {
  std::variant<MatmulShape, Convolution> work;  // by cuBLAS (cublas.h), or by cuDNN (cudnn.h)
  std::string file = {};                        // the library; empty: where the system finds it
  bool operator==(const LibraryCall&) const = default;
};

// Its tensors, dense: {A, B, C} of the shapes that MatmulShape tells, or {A, W, C}. The last is written, and it alone.
native::Signature signature_of(const LibraryCall& call);

// Throws Error, which begins with the library's name, for operands of a type that is not among its types.
void require_library_type(const std::string& library, const std::vector<DType>& types, DType dtype);

}  // namespace vantage::driver
