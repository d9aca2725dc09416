// The functions that an expression may call on every target: names, operand types, meanings. One row each.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/dtype.h"

namespace vantage::ir {

enum class IntrinsicKind : uint8_t {
  kMath,       // floats to a float of the same type
  kAny,        // the type of its first argument, whatever that is
  kPredicate,  // floats to bool
  kBytes,      // two int32, each four bytes with the first in the low bits, to int32
  kHint,       // one bool, handed on
  kBarrier,    // no value; its one argument is a scope, as text
};

struct Intrinsic {
  std::string_view name;
  int arity;
  IntrinsicKind kind;
  double (*evaluate)(double a, double b);  // kMath, kPredicate, kBytes; the result is rounded to the type
};

// All of them, by name.
const std::vector<Intrinsic>& intrinsics();
const Intrinsic* find_intrinsic(std::string_view name);

// Sums of four products of bytes, as processors with instructions for quantized networks have them: of signed bytes,
// and of unsigned ones with signed ones.
inline constexpr std::string_view kDot4 = "dot4";
inline constexpr std::string_view kDot4UnsignedSigned = "dot4_us";
// Tells that a condition nearly always holds: a guard that a later pass may move or prove away.
inline constexpr std::string_view kLikely = "likely";
// Tells that a condition, which picks one thread of a warp, stands for all of its threads, which do together what is under
// it: what a GPU's warp does once (compiler/backend/cuda/tensor_cores.h).
inline constexpr std::string_view kByWarp = "by_warp";
// All threads of a GPU block wait for each other.
inline constexpr std::string_view kStorageSync = "storage_sync";

}  // namespace vantage::ir
