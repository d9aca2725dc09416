#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/elementwise_options.h"
#include "cli/workload_arguments.h"
#include "compiler/backend/vta/lower.h"
#include "driver/device/accelerator.h"
#include "hw/isa/lanes.h"

namespace vantage::cli {

using ops::Elementwise;

namespace {

struct ElementwiseArguments : WorkloadArguments {
  ElementwiseOptions elementwise;
};

using Values = std::vector<int32_t>;

int operand_bits(const isa::Config& config) {
  return ops::operand_memory(config) == isa::Memory::kAcc8 ? 8 : config.acc_bits();
}

Values random_values(int64_t size, int bits, std::mt19937_64& random) {
  Values values(static_cast<size_t>(size));
  for (int32_t& value : values) value = wrap_to(static_cast<uint32_t>(random()), bits);
  return values;
}

// Lanes one after another, zeros in what is left of the last element.
std::vector<std::byte> packed(const Values& values, int bits, Bytes size) {
  std::vector<std::byte> bytes(size.count());
  for (size_t i = 0; i < values.size(); ++i) write_lane(bytes.data(), i, bits, values[i]);
  return bytes;
}

int32_t combine(isa::AluOp op, int32_t a, int32_t b, int bits) {
  switch (op) {
    case isa::AluOp::kAdd: return wrap_to(static_cast<uint32_t>(a) + static_cast<uint32_t>(b), bits);
    case isa::AluOp::kMul: return wrap_to(static_cast<uint32_t>(a) * static_cast<uint32_t>(b), bits);
    case isa::AluOp::kMin: return std::min(a, b);
    case isa::AluOp::kMax: return std::max(a, b);
    case isa::AluOp::kShr: break;
  }
  VANTAGE_CHECK(false);
  return 0;
}

// Empty when C is what plain loops make of A and B.
std::string difference(const Elementwise& layer, const isa::Config& config, const Values& a, const Values& b,
                       const std::vector<std::byte>& c) {
  for (size_t i = 0; i < a.size(); ++i) {
    const int32_t value = combine(layer.op, a[i], layer.immediate ? *layer.immediate : b[i], config.acc_bits());
    const int32_t expected =
        std::clamp(value >> layer.epilogue.shift, layer.epilogue.clip_min, layer.epilogue.clip_max);
    const int32_t got = read_lane(c.data(), i, config.out_bits());
    if (got != expected) return fmt::format("first mismatch at value {}: expected {}, got {}", i, expected, got);
  }
  return "";
}

int run_elementwise(const ElementwiseArguments& arguments) {
  arguments.check();
  const isa::Config config = arguments.config.load();
  const Elementwise layer = arguments.elementwise.layer(config);
  const ops::ElementwiseTiling tiling = arguments.elementwise.tiling(layer, config);
  const Program program = vta::compile(ops::schedule_elementwise(layer, tiling, config).function(), config);

  std::mt19937_64 random(arguments.seed);
  const int bits = operand_bits(config);
  const Values a = random_values(layer.size, bits, random);
  const Values b = layer.immediate ? Values() : random_values(layer.size, bits, random);

  const auto device = arguments.target.open(config);
  std::map<std::string, driver::Buffer> buffers;
  std::map<std::string, const driver::Buffer*> tensors;
  for (const ProgramTensor& tensor : program.tensors) {
    const Bytes size = program.symbol_size(program.tensor_index(tensor.name));
    auto& buffer = buffers.emplace(tensor.name, device->allocate(size)).first->second;
    if (tensor.role == TensorRole::kInput) buffer.write(packed(tensor.name == "A" ? a : b, bits, size));
    tensors[tensor.name] = &buffer;
  }
  driver::Executable executable(*device, program, tensors);
  driver::RunResult result;
  if (arguments.record.empty()) {
    result = executable.run();
  } else {
    auto recorded = driver::run_and_record(*device, executable, "elementwise");
    result = std::move(recorded.result);
    if (result.ok()) save_bundle(recorded.bundle, arguments.record);
  }
  if (!result.ok()) fail("elementwise: the run ended with {}", failure(result));
  device->finish_trace();
  std::vector<std::byte> c(buffers.at("C").size().count());
  buffers.at("C").read(c);

  const std::string operation =
      fmt::format("{} {} {}", isa::name(layer.op), layer.size,
                  layer.immediate ? fmt::format("values and {}", *layer.immediate) : std::string("pairs of values"));
  WorkloadReport report;
  report.workload = {{"name", "elementwise"},
                     {"size", layer.size},
                     {"op", isa::name(layer.op)},
                     {"shift", layer.epilogue.shift},
                     {"tile", tiling.tiles},
                     {"virtual_threads", tiling.threads},
                     {"double_buffer", tiling.double_buffer},
                     {"instructions", program.insns.size()}};
  if (layer.immediate) report.workload["immediate"] = *layer.immediate;
  report.title =
      fmt::format("elementwise {} on {} {}\n{} elements at a time, {} virtual thread{}{}; {} instructions\n", operation,
                  arguments.target.uri, config.name(), tiling.tiles, tiling.threads, tiling.threads == 1 ? "" : "s",
                  tiling.double_buffer ? ", double-buffered" : "", program.insns.size());
  report.success = fmt::format("All {} results equal those of plain loops.", layer.size);
  report.difference = difference(layer, config, a, b, c);
  return report_workload(arguments, config, result, report);
}

}  // namespace

void add_run_elementwise(CLI::App& run, int& status) {
  auto a = std::make_shared<ElementwiseArguments>();
  CLI::App* elementwise = run.add_subcommand(
      "elementwise", "values combined one by one: C = clip((A op B) >> shift), checked; tiles chosen by a model");
  a->add_to(*elementwise);
  a->elementwise.add_to(*elementwise);
  elementwise->footer(
      "Examples:\n"
      "  vantage run elementwise\n"
      "  vantage run elementwise --size 1000000 --op max --immediate 0 --target fsim:\n"
      "  vantage run elementwise --op mul --shift 7 --config batch2 --json");
  elementwise->callback([a, &status] { status = run_elementwise(*a); });
}

}  // namespace vantage::cli
