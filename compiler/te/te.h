// The tensor expression language, all of it.
//
//   using namespace vantage::te;
//   Tensor a = placeholder({128, 64}, kInt8, "A"), b = placeholder({64, 32}, kInt8, "B");
//   ReduceAxis k = reduce_axis(64, "k");
//   Tensor c = compute({128, 32}, [&](Expr i, Expr j) {
//     return sum(cast(kInt32, a(i, k)) * cast(kInt32, b(k, j)), {k});
//   }, "C");
//   ir::PrimFunc f = create_prim_func({a, b, c}, "matmul");
//
// Thread safety: values, like the expressions they are made of.
#pragma once

#include "compiler/ir/call_extern.h"
#include "compiler/te/compute.h"
#include "compiler/te/create_prim_func.h"
#include "compiler/te/elementwise.h"
#include "compiler/te/external.h"
#include "compiler/te/math.h"
#include "compiler/te/reduction.h"
#include "compiler/te/scan.h"
#include "compiler/te/tensor.h"

namespace vantage::te {

using ir::call_pure_extern;
using ir::cast;
using ir::ceil_div;
using ir::floor_div;
using ir::floor_mod;
using ir::if_then_else;
using ir::kBFloat16;
using ir::kBool;
using ir::kFloat16;
using ir::kFloat32;
using ir::kFloat64;
using ir::kInt16;
using ir::kInt32;
using ir::kInt4;
using ir::kInt64;
using ir::kInt8;
using ir::max;
using ir::max_value;
using ir::min;
using ir::min_value;
using ir::trunc_div;
using ir::trunc_mod;

}  // namespace vantage::te
