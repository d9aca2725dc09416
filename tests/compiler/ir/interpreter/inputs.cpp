#include "tests/compiler/ir/interpreter/inputs.h"

namespace vantage::test {

using namespace ir;

std::vector<Input> run_interpreted(const PrimFunc& function, std::vector<Input> inputs,
                                   const InterpreterOptions& options) {
  std::vector<ir::Argument> arguments;
  for (Input& input : inputs) {
    if (auto* array = std::get_if<Tensor>(&input)) {
      arguments.emplace_back(array);
    } else if (const auto* i = std::get_if<int64_t>(&input)) {
      arguments.emplace_back(*i);
    } else {
      arguments.emplace_back(std::get<double>(input));
    }
  }
  interpret(function, arguments, options);
  return inputs;
}

std::string first_difference(const PrimFunc& function, const std::vector<Input>& expected,
                             const std::vector<Input>& got, Tolerance tolerance) {
  for (size_t p = 0; p < function.params.size(); ++p) {
    const auto* buffer = std::get_if<Buffer>(&function.params[p]);
    if (buffer == nullptr) continue;
    const auto found = difference(std::get<Tensor>(expected[p]), std::get<Tensor>(got[p]), tolerance);
    if (found) return (*buffer)->name + ": " + *found;
  }
  return {};
}

}  // namespace vantage::test
