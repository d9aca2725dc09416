// What the VTA's calls do, for the reference interpreter.
#pragma once

#include "compiler/tir/interpreter/interpreter.h"
#include "hw/spec/config.h"

namespace vantage::compiler {

// Written from docs/isa.md, on views of whole elements: [elements][lanes], or single ones of any rank.
std::map<std::string, tir::Extern, std::less<>> vta_externs(const spec::Config& config);

}  // namespace vantage::compiler
