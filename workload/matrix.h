// Matrices in NumPy files, as workloads take them.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>

#include "base/tensor/tensor.h"

namespace vantage::workload {

// A matrix [rows][columns] of this type from a .npy file; a vector is one row. Throws Error like read_npy, and for
// other numbers of dimensions.
Tensor read_matrix(const std::filesystem::path& path, DType dtype);

}  // namespace vantage::workload
