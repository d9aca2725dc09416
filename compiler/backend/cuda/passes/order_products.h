#pragma once

#include "compiler/ir/prim_func.h"

namespace vantage::cuda {

// Products of warpgroups run beside the threads that ask for them. Each loop nest of nothing else begins behind
// begin_products, which has earlier accesses to the sums' registers done, and ends in commit_products and
// wait_products(0), behind which there are the sums. A pipeline may wait later (pipeline_copies.h).
ir::PrimFunc order_products(ir::PrimFunc function);

}  // namespace vantage::cuda
