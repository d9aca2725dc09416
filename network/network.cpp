#include "network/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace vantage {

using Kind = NetworkStep::Kind;

namespace {

class Checker {
 public:
  Checker(const Network& network, std::string_view source) : n_(network), source_(source) {}

  void run() const {
    std::set<std::string_view> names;
    if (n_.programs.empty() && !n_.accelerator_slots.empty()) {
      refuse("there is memory of an accelerator, but no program for one");
    }
    for (const NetworkTensor& tensor : n_.tensors) {
      if (!names.insert(tensor.name).second) refuse("two tensors are called {}", tensor.name);
      check(tensor);
    }
    for (const Program& program : n_.programs) {
      if (!n_.config || !(program.config == *n_.config)) {
        refuse("a program is for configuration {}, not the network's", program.config.name());
      }
    }
    if (n_.estimates.size() != n_.programs.size()) {
      refuse("{} programs have {} estimates", n_.programs.size(), n_.estimates.size());
    }
    for (const NetworkStep& step : n_.steps) check(step);
    for (const size_t tensor : n_.inputs) require_host(tensor, "an input");
    for (const size_t tensor : n_.outputs) require_host(tensor, "an output");
    if (!n_.output_names.empty() && n_.output_names.size() != n_.outputs.size()) {
      refuse("{} outputs have {} names", n_.outputs.size(), n_.output_names.size());
    }
    if (std::set<std::string>(n_.output_names.begin(), n_.output_names.end()).size() != n_.output_names.size()) {
      refuse("two outputs have one name");
    }
    for (const size_t tensor : n_.inputs) {
      if (n_.tensors[tensor].constant) refuse("the input {} is constant", n_.tensors[tensor].name);
    }
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail("{}: {}", source_, fmt::format(format, std::forward<Args>(args)...));
  }

  void check(const NetworkTensor& t) const {
    const bool on_host = t.place == Place::kHost;
    if (!on_host && n_.programs.empty())
      refuse("tensor {} is on an accelerator, but there is no program for one", t.name);
    if (on_host == t.memory.has_value() || (!on_host && !n_.config)) {
      refuse("tensor {} is in no memory that its place has", t.name);
    }
    uint64_t needed = t.type.bytes();
    if (!on_host) {
      if (!t.type.dtype.is_signed())
        refuse("tensor {} is {}, but accelerators have signed integers", t.name, describe(t.type));
      needed = (static_cast<uint64_t>(t.type.size()) * static_cast<uint64_t>(n_.config->lane_bits(*t.memory)) + 7) / 8;
    }
    if (t.bytes < needed) refuse("tensor {} has {} bytes, but takes {}", t.name, t.bytes, needed);
    if (t.constant) {
      if (type_of(*t.constant) != t.type) {
        refuse("tensor {} is {}, but its value is {}", t.name, describe(t.type), describe(*t.constant));
      }
      return;
    }
    const std::vector<uint64_t>& slots = on_host ? n_.host_slots : n_.accelerator_slots;
    if (t.slot >= slots.size() || slots[t.slot] < t.bytes) refuse("tensor {} does not fit its slot", t.name);
  }

  void require_host(size_t tensor, std::string_view what) const {
    if (tensor >= n_.tensors.size() || n_.tensors[tensor].place != Place::kHost) {
      refuse("{} is no tensor of the host", what);
    }
  }

  void check(const NetworkStep& step) const {
    const auto require = [&](size_t operand, Place place) -> const NetworkTensor& {
      if (operand >= n_.tensors.size() || n_.tensors[operand].place != place) {
        refuse("step {} is given tensor {}, which is not where it takes it", step.name, operand);
      }
      return n_.tensors[operand];
    };
    switch (step.kind) {
      case Kind::kFunction:
        if (step.code >= n_.functions.size()) refuse("step {} calls function {}, which is none", step.name, step.code);
        for (const size_t operand : step.operands) require(operand, Place::kHost);
        return;
      case Kind::kProgram: {
        if (step.code >= n_.programs.size()) refuse("step {} runs program {}, which is none", step.name, step.code);
        const Program& program = n_.programs[step.code];
        if (step.operands.size() != program.tensors.size()) {
          refuse("step {} has {} tensors for a program of {}", step.name, step.operands.size(), program.tensors.size());
        }
        for (size_t i = 0; i < step.operands.size(); ++i) {
          const NetworkTensor& tensor = require(step.operands[i], Place::kAccelerator);
          const uint64_t wanted = program.symbol_size(static_cast<uint32_t>(i)).count();
          const bool is_output = program.tensors[i].role == TensorRole::kOutput;
          if (tensor.bytes < wanted) {
            refuse("step {}: {} has {} bytes, but the program takes {}", step.name, tensor.name, tensor.bytes, wanted);
          }
          if (n_.config->lane_bits(*tensor.memory) != n_.config->lane_bits(program.tensors[i].memory)) {
            refuse("step {}: {} has lanes of {} bits, but the program takes {}", step.name, tensor.name,
                   n_.config->lane_bits(*tensor.memory), n_.config->lane_bits(program.tensors[i].memory));
          }
          if (is_output && tensor.constant) refuse("step {} writes {}, which is constant", step.name, tensor.name);
        }
        return;
      }
      case Kind::kUpload:
      case Kind::kDownload: {
        if (step.operands.size() != 2) refuse("step {} copies {} tensors, not 2", step.name, step.operands.size());
        const bool up = step.kind == Kind::kUpload;
        const NetworkTensor& from = require(step.operands[0], up ? Place::kHost : Place::kAccelerator);
        const NetworkTensor& to = require(step.operands[1], up ? Place::kAccelerator : Place::kHost);
        if (from.type != to.type) {
          refuse("step {} copies {} to {}", step.name, describe(from.type), describe(to.type));
        }
        if (to.constant) refuse("step {} writes {}, which is constant", step.name, to.name);
        return;
      }
    }
  }

  const Network& n_;
  std::string_view source_;
};

}  // namespace

std::vector<std::string> output_names(const Network& network) {
  if (!network.output_names.empty()) return network.output_names;
  std::vector<std::string> names;
  for (const size_t tensor : network.outputs) {
    std::string name = network.tensors[tensor].name;
    // One tensor may be two outputs.
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
    names.push_back(std::move(name));
  }
  return names;
}

void check_network(const Network& network, std::string_view source) {
  Checker(network, source).run();
}

}  // namespace vantage
