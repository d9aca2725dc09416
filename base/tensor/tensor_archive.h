// Tensors by name in one file: what NumPy's savez and what safetensors write.
//
// A file's tensors are read when they are asked for, so that weights may be larger than memory. Bfloat16, which tensors
// here do not have, is read as float32, whose first half it is.
//
// Thread safety: any number of threads may read from one archive.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor/tensor.h"

namespace vantage {

class TensorArchive {
 public:
  virtual ~TensorArchive() = default;

  virtual std::vector<std::string> names() const = 0;  // in alphabetical order
  virtual bool has(std::string_view name) const = 0;
  // Throws Error, naming the file and the tensor, where there is none of this name, for an element type that tensors
  // do not have, and when the file cannot be read.
  virtual Tensor read(std::string_view name) const = 0;
};

// Throw Error, naming the file, when it cannot be read or is none: its header is checked as a whole, with all types,
// shapes and places.
//
// The header of `model.safetensors` is small; tensors are read from the file, which stays open.
std::unique_ptr<TensorArchive> open_safetensors(const std::filesystem::path& path);
// All arrays of an .npz are unpacked at once, since it is one stream.
std::unique_ptr<TensorArchive> open_npz(const std::filesystem::path& path);

// Either, by the name's end.
std::unique_ptr<TensorArchive> open_tensor_archive(const std::filesystem::path& path);
bool is_tensor_archive(const std::filesystem::path& path);

}  // namespace vantage
