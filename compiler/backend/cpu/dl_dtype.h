// Scalar types of the IR as DLPack says them, which compiled functions are called with.
#pragma once

#include <dlpack/dlpack.h>

#include "compiler/ir/dtype.h"

namespace vantage::cpu {

// bool, which DLPack has no code for, is an unsigned integer of one bit.
inline DLDataType dl_dtype(ir::DType dtype) {
  if (dtype.is_bool()) return {kDLUInt, 1, 1};
  return {static_cast<uint8_t>(dtype.is_float() ? kDLFloat : kDLInt), static_cast<uint8_t>(dtype.bits()), 1};
}

}  // namespace vantage::cpu
