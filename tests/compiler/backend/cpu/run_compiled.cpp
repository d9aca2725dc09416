#include "tests/compiler/backend/cpu/run_compiled.h"

#include "compiler/ir/substitute.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/guarded_tensor.h"

namespace vantage::test {

using namespace ir;

cpu::Options checked_options() {
  cpu::Options options;
#ifdef __SANITIZE_ADDRESS__
  options.address_sanitizer = true;
#endif
  return options;
}

std::vector<Input> run_compiled(const native::Function& function, std::vector<Input> inputs,
                                const vantage_runtime* runtime) {
  using Side = GuardedTensor::Side;
  std::vector<Input> results;
  // Once with a forbidden page behind every array, once with one in front.
  for (const Side side : {Side::kBegin, Side::kEnd}) {
    std::vector<std::unique_ptr<GuardedTensor>> tensors(inputs.size());
    std::vector<vantage_argument> arguments;
    for (size_t p = 0; p < inputs.size(); ++p) {
      if (const auto* i = std::get_if<int64_t>(&inputs[p])) {
        arguments.push_back({.integer = *i});
      } else if (const auto* f = std::get_if<double>(&inputs[p])) {
        arguments.push_back({.number = *f});
      } else {
        const int alignment = function.signature().parameters.at(p).alignment;
        tensors[p] = std::make_unique<GuardedTensor>(std::get<Tensor>(inputs[p]), alignment, side);
        arguments.push_back({.tensor = tensors[p]->tensor()});
      }
    }
    function(arguments, runtime);
    results = inputs;
    for (size_t p = 0; p < inputs.size(); ++p) {
      if (tensors[p] == nullptr) continue;
      INFO("parameter " << p);
      REQUIRE(tensors[p]->intact());
      results[p] = tensors[p]->array();
    }
  }
  return results;
}

PrimFunc with_params(PrimFunc function, const std::function<void(BufferNode&)>& change) {
  BufferMap changed;
  for (Param& param : function.params) {
    auto* buffer = std::get_if<Buffer>(&param);
    if (buffer == nullptr) continue;
    BufferNode node = **buffer;
    change(node);
    const Buffer made = make_buffer(std::move(node));
    changed[buffer->get()] = made;
    param = made;
  }
  function.body = substitute(function.body, {}, changed);
  return function;
}

}  // namespace vantage::test
