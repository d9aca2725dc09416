#include "compiler/tir/interpreter/interpreter.h"

#include "compiler/tir/interpreter/executor.h"
#include "compiler/tir/interpreter/stmt_compiler.h"

namespace vantage::tir {

void interpret(const PrimFunc& function, const std::vector<Argument>& arguments, const InterpreterOptions& options) {
  const interpreter::Program program = interpreter::compile(function, options);
  interpreter::Executor(program, arguments, options).run();
}

}  // namespace vantage::tir
