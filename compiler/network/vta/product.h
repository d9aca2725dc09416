// The sums of a function's layer: which products they are of.
//
// Thread safety: functions without state.
#pragma once

#include "compiler/network/vta/conv.h"

namespace vantage::network {

// Notes in `layer`, whose epilogue was read before, its shape and operands: those of a convolution, of a dense layer or
// a product of activations, of the sum of an image's pixels, or of an activation that an addend is added to. Throws
// Error that says what of it the GEMM core cannot do.
void read_product(const FunctionReader& function, const isa::Config& config, graph::Value sums, VtaConv& layer);

}  // namespace vantage::network
