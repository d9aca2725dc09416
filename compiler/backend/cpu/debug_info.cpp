#include "compiler/backend/cpu/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace vantage::cpu {

DebugInfo::DebugInfo(llvm::Module& module, const std::string& file, const std::string& directory)
    : builder_(module),
      file_(builder_.createFile(file, directory)),
      unit_(builder_.createCompileUnit(llvm::dwarf::DW_LANG_C, file_, "Vantage", true, "", 0)) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
}

void DebugInfo::begin(const ir::Listing& function, int first_line) {
  listing_ = &function;
  first_line_ = first_line;
  blocks_.clear();
}

llvm::DISubprogram* DebugInfo::subprogram(const std::string& name, bool is_definition) {
  auto* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  auto flags = llvm::DISubprogram::SPFlagOptimized | llvm::DISubprogram::SPFlagLocalToUnit;
  if (is_definition) flags |= llvm::DISubprogram::SPFlagDefinition;
  const auto first = static_cast<unsigned>(first_line_);
  return builder_.createFunction(file_, name, "", file_, first, type, first, llvm::DINode::FlagZero, flags);
}

DebugScope DebugInfo::define(llvm::Function& function) {
  auto* scope = subprogram(function.getName().str(), true);
  function.setSubprogram(scope);
  return {scope, nullptr, {}};
}

DebugScope DebugInfo::enter(const DebugScope& around, const std::string& block, const ir::StmtNode* loop) {
  if (around.block == block) return around;
  llvm::DISubprogram*& scope = blocks_[block];
  if (scope == nullptr) scope = subprogram(block, true);
  return {scope, location(around, loop).get(), block};
}

llvm::DebugLoc DebugInfo::location(const DebugScope& scope, const ir::StmtNode* statement) const {
  return llvm::DILocation::get(scope.function->getContext(), static_cast<unsigned>(line(statement)), 0, scope.function,
                               scope.inlined_at);
}

int DebugInfo::line(const ir::StmtNode* statement) const {
  const auto found = listing_->lines.find(statement);
  return first_line_ + (found == listing_->lines.end() ? 0 : found->second - 1);
}

}  // namespace vantage::cpu
