#include "tests/compiler/vta/check_compiled.h"

#include <algorithm>
#include <map>

#include "compiler/target/vta/externs.h"
#include "compiler/target/vta/lower.h"
#include "compiler/tir/interpreter/interpreter.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/verify.h"
#include "driver/device/executable.h"
#include "driver/open/open.h"
#include "hw/spec/error.h"

namespace vantage::test {

namespace {

using Tensors = std::vector<tir::Array>;

// Arrays of the function's own shapes with the bytes of `from`: passes reshape tensors, but leave them where they lie.
Tensors reshaped(const tir::PrimFunc& function, const Tensors& from) {
  Tensors result;
  for (size_t i = 0; i < from.size(); ++i) {
    std::vector<int64_t> shape;
    for (const tir::Expr& size : function.buffers()[i]->shape) shape.push_back(*tir::as_int(size));
    result.emplace_back(from[i].dtype(), shape);
    std::copy(from[i].bytes().begin(), from[i].bytes().end(), result.back().bytes().begin());
  }
  return result;
}

Tensors interpreted(const tir::PrimFunc& function, const Tensors& tensors, const spec::Config& config) {
  Tensors result = reshaped(function, tensors);
  std::vector<tir::Argument> arguments;
  for (tir::Array& array : result) arguments.emplace_back(&array);
  tir::InterpreterOptions options;
  options.threads = false;
  options.externs = compiler::vta_externs(config);
  tir::interpret(function, arguments, options);
  return reshaped(function, result);
}

std::string difference(const tir::PrimFunc& definition, const Tensors& expected, const Tensors& got) {
  const Tensors same = reshaped(definition, got);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (const auto d = tir::difference(expected[i], same[i])) return definition.buffers()[i]->name + ": " + *d;
  }
  return "";
}

// What the program leaves in the tensors, and its cycles where the device has time.
std::optional<Cycles> run(const Program& program, const std::string& uri, const tir::PrimFunc& definition,
                          Tensors& tensors) {
  const auto device = driver::open_accelerator(uri, program.config);
  std::map<std::string, driver::Buffer> buffers;
  std::map<std::string, const driver::Buffer*> pointers;
  const auto array_of = [&](const Tensor& tensor) -> tir::Array& {
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (definition.buffers()[i]->name == tensor.name) return tensors[i];
    }
    fail("the program has a tensor {} that the function lacks", tensor.name);
  };
  for (const Tensor& tensor : program.tensors) {
    const auto bytes = array_of(tensor).bytes();
    auto& buffer = buffers.emplace(tensor.name, device->allocate(Bytes(bytes.size()))).first->second;
    buffer.write({bytes.begin(), bytes.end()});
    pointers[tensor.name] = &buffer;
  }
  driver::Executable executable(*device, program, pointers);
  const driver::RunResult result = executable.run();
  if (!result.ok()) fail("{} ended with {}", uri, failure(result));
  for (const Tensor& tensor : program.tensors) {
    const auto bytes = array_of(tensor).bytes();
    std::vector<std::byte> got(bytes.size());
    buffers.at(tensor.name).read(got);
    std::copy(got.begin(), got.end(), bytes.begin());
  }
  return result.cycles;
}

}  // namespace

std::string check_compiled(const tir::PrimFunc& definition, const tir::PrimFunc& scheduled, const spec::Config& config,
                           std::mt19937_64& random, const CheckOptions& options) {
  std::string where = "definition", text;
  try {
    Tensors inputs;
    for (const tir::Buffer& buffer : definition.buffers()) {
      std::vector<int64_t> shape;
      for (const tir::Expr& size : buffer->shape) shape.push_back(*tir::as_int(size));
      inputs.emplace_back(buffer->dtype, shape).fill(random);
    }
    const Tensors expected = interpreted(definition, inputs, config);
    std::string wrong;
    const auto check = [&](const std::string& stage, const tir::PrimFunc& function) {
      if (!wrong.empty()) return;
      where = stage;
      const std::string before = text;
      text = to_text(function);
      for (const std::string& problem : tir::verify(function)) wrong += problem + "\n";
      if (wrong.empty()) wrong = difference(definition, expected, interpreted(function, inputs, config));
      if (!wrong.empty()) wrong = fmt::format("after {}: {}\n{}\nbefore:\n{}", stage, wrong, text, before);
    };
    if (options.every_pass) check("schedule", scheduled);
    where = "compile";
    const Program program = compiler::compile(scheduled, config, [&](const lower::Pass& pass, const tir::PrimFunc& f) {
      if (options.every_pass) check(pass.name, f);
    });
    if (!wrong.empty()) return wrong;
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
