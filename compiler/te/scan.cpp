#include "compiler/te/scan.h"

#include "base/error.h"
#include "compiler/ir/structural.h"

namespace vantage::te {

namespace {

bool same_sizes(const Tensor& a, const Tensor& b, size_t first) {
  if (a.rank() != b.rank()) return false;
  for (size_t d = first; d < a.rank(); ++d) {
    if (!ir::structural_equal(a.shape()[d], b.shape()[d])) return false;
  }
  return true;
}

}  // namespace

std::vector<Tensor> scan(std::vector<Tensor> inits, std::vector<Tensor> updates, std::vector<Tensor> states,
                         std::string name) {
  using Kind = Operation::Kind;
  if (states.empty() || inits.size() != states.size() || updates.size() != states.size()) {
    fail("the scan {} has {} inits, {} updates and {} states, expected as many of each", name, inits.size(),
         updates.size(), states.size());
  }
  std::vector<OutputType> types;
  for (size_t i = 0; i < states.size(); ++i) {
    const Tensor &init = inits[i], &update = updates[i], &state = states[i];
    if (!init.defined() || !update.defined() || !state.defined()) {
      fail("the scan {} needs an init, an update and a state, and one of them is no tensor", name);
    }
    if (state.operation().kind != Kind::kPlaceholder) {
      fail("the scan {} has the state {}, which is computed; a state is a placeholder", name, state.name());
    }
    if (init.operation().kind != Kind::kCompute || update.operation().kind != Kind::kCompute) {
      fail("the scan {} needs computes as init and update, got {} and {}", name, init.name(), update.name());
    }
    if (state.rank() == 0 || !same_sizes(state, update, 0) || !same_sizes(state, init, 1)) {
      fail("the scan {}: {}, {} and {} must have one shape, but for the first size of {}", name, state.name(),
           update.name(), init.name(), init.name());
    }
    if (!ir::structural_equal(state.shape()[0], states[0].shape()[0]) ||
        !ir::structural_equal(init.shape()[0], inits[0].shape()[0])) {
      fail("the scan {} steps all states together: {} must have as many steps as {}", name, state.name(),
           states[0].name());
    }
    if (init.dtype() != state.dtype() || update.dtype() != state.dtype()) {
      fail("the scan {}: {}, {} and {} have types {}, {} and {}, expected one", name, state.name(), update.name(),
           init.name(), ir::name(state.dtype()), ir::name(update.dtype()), ir::name(init.dtype()));
    }
    types.push_back({state.shape(), state.dtype()});
  }
  auto operation = std::make_shared<Operation>();
  operation->kind = Kind::kScan;
  operation->name = std::move(name);
  operation->inits = std::move(inits);
  operation->updates = std::move(updates);
  operation->states = std::move(states);
  return outputs_of(operation, types);
}

Tensor scan(const Tensor& init, const Tensor& update, const Tensor& state, std::string name) {
  return scan(std::vector{init}, std::vector{update}, std::vector{state}, std::move(name)).front();
}

}  // namespace vantage::te
