#include "compiler/ir/interpreter/interpreter.h"

#include "compiler/ir/interpreter/executor.h"
#include "compiler/ir/interpreter/stmt_compiler.h"

namespace vantage::ir {

void interpret(const PrimFunc& function, const std::vector<Argument>& arguments, const InterpreterOptions& options) {
  const interpreter::Program program = interpreter::compile(function, options);
  interpreter::Executor(program, arguments, options).run();
}

}  // namespace vantage::ir
