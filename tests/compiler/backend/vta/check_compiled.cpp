#include "tests/compiler/backend/vta/check_compiled.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/backend/vta/calls.h"
#include "compiler/backend/vta/externs.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "driver/open/open.h"

namespace vantage::test {

namespace {

using Tensors = std::vector<Tensor>;

// Arrays of the function's own shapes with the bytes of `from`: passes reshape tensors, but leave them where they lie.
Tensors reshaped(const ir::PrimFunc& function, const Tensors& from) {
  Tensors result;
  for (size_t i = 0; i < from.size(); ++i) {
    std::vector<int64_t> shape;
    for (const ir::Expr& size : function.buffers()[i]->shape) shape.push_back(*ir::as_int(size));
    result.emplace_back(from[i].dtype(), shape);
    std::copy(from[i].bytes().begin(), from[i].bytes().end(), result.back().bytes().begin());
  }
  return result;
}

Tensors interpreted(const ir::PrimFunc& function, const Tensors& tensors, const isa::Config& config) {
  Tensors result = reshaped(function, tensors);
  std::vector<ir::Argument> arguments;
  for (Tensor& array : result) arguments.emplace_back(&array);
  ir::InterpreterOptions options;
  options.threads = false;
  options.externs = vta::externs(config);
  ir::interpret(function, arguments, options);
  return reshaped(function, result);
}

std::string difference(const ir::PrimFunc& definition, const Tensors& expected, const Tensors& got) {
  const Tensors same = reshaped(definition, got);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (const auto d = vantage::difference(expected[i], same[i])) return definition.buffers()[i]->name + ": " + *d;
  }
  return "";
}

// What the program leaves in the tensors, and its cycles where the device has time.
std::optional<Cycles> run(const Program& program, const std::string& uri, const ir::PrimFunc& definition,
                          Tensors& tensors) {
  const auto device = driver::open_accelerator(uri, program.config);
  std::map<std::string, driver::Buffer> buffers;
  std::map<std::string, const driver::Buffer*> pointers;
  const auto array_of = [&](const ProgramTensor& tensor) -> Tensor& {
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (definition.buffers()[i]->name == tensor.name) return tensors[i];
    }
    fail("the program has a tensor {} that the function lacks", tensor.name);
  };
  for (const ProgramTensor& tensor : program.tensors) {
    const auto bytes = array_of(tensor).bytes();
    auto& buffer = buffers.emplace(tensor.name, device->allocate(Bytes(bytes.size()))).first->second;
    buffer.write({bytes.begin(), bytes.end()});
    pointers[tensor.name] = &buffer;
  }
  const driver::RunResult result = device->load(program, pointers)->run();
  if (!result.ok()) fail("{} ended with {}", uri, failure(result));
  for (const ProgramTensor& tensor : program.tensors) {
    const auto bytes = array_of(tensor).bytes();
    std::vector<std::byte> got(bytes.size());
    buffers.at(tensor.name).read(got);
    std::copy(got.begin(), got.end(), bytes.begin());
  }
  return result.cycles;
}

// What is left of the finishing passes when each in turn of those that may be missing is the first one that is, and
// the operations that they leave.
std::vector<std::pair<std::string, vta::OperationList>> shorter_lists(const ir::PrimFunc& scheduled,
                                                                      const isa::Config& config) {
  std::vector<std::pair<std::string, vta::OperationList>> result;
  vta::OperationList list = vta::emit(passes::run_passes(scheduled, vta::pass_list(config)), config);
  const std::vector<vta::FinishingPass> all = vta::finishing_passes();
  const auto needed = std::find_if(all.begin(), all.end(), [](const auto& p) { return p.name == "place_micro_ops"; });
  for (auto pass = all.begin(); pass != needed; ++pass) {
    result.emplace_back(pass->name, passes::run_passes(list, std::vector(needed, all.end())));
    list = pass->run(std::move(list));
  }
  return result;
}

}  // namespace

std::string check_compiled(const ir::PrimFunc& definition, const ir::PrimFunc& scheduled, const isa::Config& config,
                           std::mt19937_64& random, const CheckOptions& options) {
  std::string where = "definition", text;
  try {
    Tensors inputs;
    for (const ir::Buffer& buffer : definition.buffers()) {
      std::vector<int64_t> shape;
      for (const ir::Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
      fill(inputs.emplace_back(buffer->dtype, shape), random);
    }
    const Tensors expected = interpreted(definition, inputs, config);
    std::string wrong;
    const auto check = [&](const std::string& stage, const ir::PrimFunc& function) {
      if (!wrong.empty()) return;
      where = stage;
      const std::string before = text;
      text = to_text(function);
      for (const std::string& problem : ir::verify(function)) wrong += problem + "\n";
      if (wrong.empty()) wrong = difference(definition, expected, interpreted(function, inputs, config));
      if (!wrong.empty()) wrong = fmt::format("after {}: {}\n{}\nbefore:\n{}", stage, wrong, text, before);
    };
    if (options.every_pass) check("schedule", scheduled);
    where = "compile";
    const Program program = vta::compile(scheduled, config, [&](const passes::Step& step) {
      if (!options.every_pass || step.function == nullptr) return;
      const std::string printed = ir::to_text(*step.function);
      const ir::PrimFunc read = ir::parse_function(printed, step.name, vta::call_touches());
      if (wrong.empty() && ir::to_text(read) != printed) {
        wrong = fmt::format("{}: read back as\n{}", step.name, to_text(read));
      }
      check(std::string(step.name), read);
    });
    if (!wrong.empty()) return wrong;
    if (options.every_pass) {
      for (const auto& [without, shorter] : shorter_lists(scheduled, config)) {
        where = "without " + without;
        Tensors got = inputs;
        run(to_program(shorter), "fsim:", definition, got);
        wrong = difference(definition, expected, got);
        if (!wrong.empty()) return fmt::format("{}: {}\n{}", where, wrong, to_text(shorter));
      }
    }
    std::optional<Cycles> cycles;
    for (const std::string& uri : options.devices) {
      where = uri;
      Tensors got = inputs;
      const auto took = run(program, uri, definition, got);
      wrong = difference(definition, expected, got);
      if (!wrong.empty()) return fmt::format("on {}: {}", uri, wrong);
      if (cycles && took && took->count() != cycles->count()) {
        return fmt::format("{} takes {} cycles, the device before it {}", uri, took->count(), cycles->count());
      }
      if (took) cycles = took;
    }
    return "";
  } catch (const std::exception& e) {
    return fmt::format("{}: {}\n{}", where, e.what(), text);
  }
}

}  // namespace vantage::test
