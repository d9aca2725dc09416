#include "workload/matrix.h"

#include "base/error.h"
#include "base/tensor/npy.h"

namespace vantage::workload {

Tensor read_matrix(const std::filesystem::path& path, DType dtype) {
  Tensor tensor = read_npy(path, dtype);
  if (tensor.rank() == 2) return tensor;
  if (tensor.rank() != 1) fail("{}: it has {} dimensions, expected 1 or 2", path.string(), tensor.rank());
  const int64_t columns = tensor.size();
  return std::move(tensor).reshaped({1, columns});
}

}  // namespace vantage::workload
