#include "workload/published_times.h"

#include <algorithm>
#include <map>
#include <random>

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "base/suggest.h"
#include "base/tensor/random.h"
#include "compiler/ops/tile_layout.h"
#include "hw/isa/config_name.h"
#include "sim/published/published_timing.h"
#include "workload/conv2d_reference.h"

namespace vantage::workload {

namespace {

constexpr std::string_view kEnding = ".json";
constexpr int kMostCycles = 1'000'000'000;
constexpr int kLargestTile = 1 << 16;
constexpr int kShift = 8;

PublishedTiling read_tiling(const JsonObject& json) {
  PublishedTiling tiling;
  tiling.height = json.integer("height", 1, kLargestTile);
  tiling.width = json.integer("width", 1, kLargestTile);
  tiling.out_blocks = json.integer("out_blocks", 1, kLargestTile);
  tiling.in_blocks = json.integer("in_blocks", 1, kLargestTile);
  tiling.threads = json.one_of("threads", {"rows", "channels"}) == "rows" ? PublishedTiling::Threads::kRows
                                                                          : PublishedTiling::Threads::kChannels;
  return tiling;
}

// A machine's name, or its file's as seen from the file that names it.
std::string machine_of(const JsonObject& object, std::string_view source) {
  std::string machine = object.string("machine");
  const auto names = sim::published_names();
  if (std::find(names.begin(), names.end(), machine) != names.end()) return machine;
  const auto beside = std::filesystem::path(source).parent_path() / machine;
  return std::filesystem::is_regular_file(beside) ? beside.string() : machine;
}

}  // namespace

PublishedTimes PublishedTimes::find(const std::string& file_or_name) {
  for (const EmbeddedFile& file : published_times_files()) {
    if (file.name == file_or_name + std::string(kEnding)) return parse(file.text, "configs/silicon/" + file.name);
  }
  if (!std::filesystem::is_regular_file(file_or_name)) {
    fail("{}: no such file, and no published times of that name{}", file_or_name,
         did_you_mean(file_or_name, published_times_names()));
  }
  constexpr Bytes kLimit{1 << 20};
  return parse(read_file(file_or_name, kLimit), file_or_name);
}

std::vector<std::string> published_times_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : published_times_files()) {
    names.push_back(file.name.substr(0, file.name.size() - kEnding.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

PublishedTimes PublishedTimes::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  const JsonObject object(json, std::string(source), {"machine", "source", "layers"});
  PublishedTimes times{.machine = machine_of(object, source), .config = isa::Config::vta_default()};
  try {
    times.config = isa::config_of_name(sim::PublishedTiming::find(times.machine).config);
  } catch (const Error& error) {
    fail("{}: machine: {}", source, error.what());
  }
  times.source = object.string("source");
  object.each_object("layers", {"layer", "cycles", "tile"}, [&](const JsonObject& entry) {
    const std::string name = entry.string("layer");
    for (const PublishedLayer& before : times.layers) {
      if (before.layer.name == name) entry.refuse("layer", "each layer once");
    }
    const auto& known = resnet18_layers();
    const auto layer = std::find_if(known.begin(), known.end(), [&](const NamedLayer& l) { return l.name == name; });
    if (layer == known.end()) entry.refuse("layer", "a layer of ResNet-18, C2 to C11");
    times.layers.push_back(
        {*layer, Cycles(entry.natural("cycles", 1, kMostCycles)),
         read_tiling(entry.object("tile", {"height", "width", "out_blocks", "in_blocks", "threads"}))});
    try {
      (void)published_conv(layer->shape, {}, times.layers.back().tiling, times.config);
    } catch (const Error& error) {
      fail("{}: tile: {}", entry.where(), error.what());
    }
  });
  if (times.layers.empty()) object.refuse("layers", "one layer or more");
  return times;
}

double ValidatedLayer::error() const {
  const auto of = static_cast<double>(published.count());
  return (static_cast<double>(model().count()) - of) / of;
}

ValidatedLayer validate(driver::Accelerator& machine, const PublishedLayer& published, uint64_t seed) {
  const Conv2dShape& s = published.layer.shape;
  const isa::Config& config = machine.config();
  const ops::Epilogue epilogue{.shift = kShift};
  std::mt19937_64 random(seed);
  const Tensor inputs = random_tensor(kInt32, {s.batch, s.in_channels, s.height, s.width}, config.inp_bits(), random);
  const Tensor weights =
      random_tensor(kInt32, {s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, config.wgt_bits(), random);

  const PublishedConv conv = published_conv(s, epilogue, published.tiling, config);
  const auto a_bytes = ops::pack_tiles(inputs, isa::Memory::kInp, config, "inputs");
  const auto w_bytes = ops::pack_tiles(weights, isa::Memory::kWgt, config, "weights");
  driver::Buffer a = machine.allocate(Bytes(a_bytes.size()));
  driver::Buffer w = machine.allocate(Bytes(w_bytes.size()));
  driver::Buffer c = machine.allocate(conv.timed.symbol_size(conv.timed.tensor_index("C")));
  a.write(a_bytes);
  w.write(w_bytes);
  const std::map<std::string, const driver::Buffer*> tensors = {{"A", &a}, {"W", &w}, {"C", &c}};
  sim::RunResult result;
  machine.clear_scratchpads();
  // As the times were taken: the second run of the program counts.
  for (const Program* program : {&conv.micro_ops, &conv.timed, &conv.timed}) {
    result = machine.load(*program, tensors)->run({});
    if (!result.ok()) fail("{}: {}", published.layer.name, failure(result));
  }
  std::vector<std::byte> c_bytes(c.size().count());
  c.read(c_bytes);
  const Tensor got = ops::unpack_tiles(c_bytes, {s.batch, s.out_channels, s.out_height(), s.out_width()}, config);
  const Tensor expected = conv2d_reference(config, s, epilogue, inputs, weights, std::nullopt);
  return {.name = published.layer.name,
          .instructions = conv.timed.insns.size(),
          .device = result.cycles.value(),
          .host = result.host_cycles.value(),
          .published = published.cycles,
          .difference = first_difference(expected, got)};
}

}  // namespace vantage::workload
