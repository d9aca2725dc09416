// What the VTA's calls do, for the reference interpreter.
#pragma once

#include "compiler/ir/interpreter/interpreter.h"
#include "hw/isa/config.h"

namespace vantage::vta {

// Written from docs/isa.md, on views of whole elements: [elements][lanes], or single ones of any rank.
std::map<std::string, ir::Extern, std::less<>> externs(const isa::Config& config);

}  // namespace vantage::vta
