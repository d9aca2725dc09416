// What debuggers and profilers are told about the code: its source is the lowered function's text, and a loop that
// writes one buffer only appears as an inlined function of that buffer's name, which is its block's. So perf shows
// where time goes as "tile" and "pack_a", and annotates lines of the IR.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include <map>
#include <string>

#include "compiler/ir/printer.h"

namespace vantage::cpu {

// The place of a statement: the function, and the block whose loop it is in, if any.
struct DebugScope {
  llvm::DISubprogram* function = nullptr;
  llvm::DILocation* inlined_at = nullptr;
  std::string block;
};

class DebugInfo {
 public:
  // `file` is the source's name, in folder `directory`.
  DebugInfo(llvm::Module& module, const std::string& file, const std::string& directory);
  // To be called when all code is there.
  void finish() { builder_.finalize(); }

  // From here on statements of this function are looked up, whose text begins at `first_line` of the file.
  // REQUIRES: the listing lives as long as this.
  void begin(const ir::Listing& function, int first_line);

  // The scope of a function's body.
  DebugScope define(llvm::Function& function);
  // That of a loop of a block inside of `around`; `around` itself when the block is already the innermost.
  DebugScope enter(const DebugScope& around, const std::string& block, const ir::StmtNode* loop);
  llvm::DebugLoc location(const DebugScope& scope, const ir::StmtNode* statement) const;

 private:
  llvm::DISubprogram* subprogram(const std::string& name, bool is_definition);
  int line(const ir::StmtNode* statement) const;

  llvm::DIBuilder builder_;
  llvm::DIFile* file_;
  llvm::DICompileUnit* unit_;
  const ir::Listing* listing_ = nullptr;
  int first_line_ = 1;
  std::map<std::string, llvm::DISubprogram*> blocks_;
};

}  // namespace vantage::cpu
