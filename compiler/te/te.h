// The tensor expression language, all of it.
//
//   using namespace vantage::te;
//   Tensor a = placeholder({128, 64}, kInt8, "A"), b = placeholder({64, 32}, kInt8, "B");
//   ReduceAxis k = reduce_axis(64, "k");
//   Tensor c = compute({128, 32}, [&](Expr i, Expr j) {
//     return sum(cast(kInt32, a(i, k)) * cast(kInt32, b(k, j)), {k});
//   }, "C");
//   tir::PrimFunc f = create_prim_func({a, b, c}, "matmul");
//
// Thread safety: values, like the expressions they are made of.
#pragma once

#include "compiler/te/compute.h"
#include "compiler/te/create_prim_func.h"
#include "compiler/te/math.h"
#include "compiler/te/reduction.h"
#include "compiler/te/scan.h"
#include "compiler/te/tensor.h"

namespace vantage::te {

using tir::cast;
using tir::ceil_div;
using tir::floor_div;
using tir::floor_mod;
using tir::if_then_else;
using tir::kBool;
using tir::kFloat16;
using tir::kFloat32;
using tir::kFloat64;
using tir::kInt16;
using tir::kInt32;
using tir::kInt4;
using tir::kInt64;
using tir::kInt8;
using tir::max;
using tir::max_value;
using tir::min;
using tir::min_value;
using tir::trunc_div;
using tir::trunc_mod;

}  // namespace vantage::te
