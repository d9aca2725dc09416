#include "compiler/backend/cpu/interpretable.h"

#include <memory>

#include "base/error.h"
#include "base/tensor/tensor.h"

namespace vantage::cpu {

using ir::ExternCall;
using ir::ExternView;
using native::External;

namespace {

// A box as an array of its own.
class Copy {
 public:
  explicit Copy(const ExternView& view) : view_(view), tensor_(view.dtype(), view.extents()) {
    if (view.touch() == ir::Touch::kWrite) return;
    for (int64_t e = 0; e < tensor_.size(); ++e) tensor_.set(e, view.get(tensor_.index_of(e)));
  }

  DLTensor* dl() {
    dl_ = tensor_.dl();
    return &dl_;
  }
  void write_back() const {
    for (int64_t e = 0; e < tensor_.size(); ++e) view_.set(tensor_.index_of(e), tensor_.get(e));
  }

 private:
  const ExternView& view_;
  Tensor tensor_;
  DLTensor dl_{};
};

void call(const External& external, ExternCall& call) {
  if (call.size() != external.parameters.size()) {
    fail("{} takes {} arguments, got {}: {}", external.name, external.parameters.size(), call.size(),
         describe(external));
  }
  std::vector<External::Value> values;
  std::vector<std::unique_ptr<Copy>> copies;
  for (size_t i = 0; i < call.size(); ++i) {
    const External::Parameter& parameter = external.parameters[i];
    if (!parameter.is_tensor) {
      values.push_back(parameter.dtype->is_float() ? External::Value{.number = call.number(i)}
                                                   : External::Value{.integer = call.integer(i)});
      continue;
    }
    const ExternView& view = call.view(i);
    if (parameter.dtype && view.dtype() != *parameter.dtype) {
      fail("argument {} of {} has elements of type {}, expected {}", i, external.name, ir::name(view.dtype()),
           ir::name(*parameter.dtype));
    }
    copies.push_back(std::make_unique<Copy>(view));
    values.push_back({.tensor = copies.back()->dl()});
  }
  const External::Value result = external.call(values);
  call.set_result(external.result.is_float() ? Scalar{.f = result.number} : Scalar{.i = result.integer});
  size_t next = 0;
  for (const External::Parameter& parameter : external.parameters) {
    if (!parameter.is_tensor) continue;
    if (parameter.is_written) copies[next]->write_back();
    ++next;
  }
}

}  // namespace

decltype(ir::InterpreterOptions::externs) interpretable(const native::Externals& externals) {
  decltype(ir::InterpreterOptions::externs) result;
  for (const std::string& name : externals.names()) {
    result[name] = [external = *externals.find(name)](ExternCall& arguments) { call(external, arguments); };
  }
  return result;
}

}  // namespace vantage::cpu
