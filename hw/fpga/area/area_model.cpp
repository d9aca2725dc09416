#include "hw/fpga/area/area_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"

namespace vantage::fpga {

namespace {

// The table of columns: those of one and of two that share multipliers, by the logarithms of widths and depth.
constexpr int kLeastWidth = 2, kMostWidth = 4, kLeastAcc = 4, kMostAcc = 5, kMostDepth = 5;
constexpr size_t kWidths = kMostWidth - kLeastWidth + 1, kAccs = kMostAcc - kLeastAcc + 1, kDepths = kMostDepth + 1;
constexpr size_t kColumns = 2 * kWidths * kWidths * kAccs * kDepths;

size_t index_of_column(int together, int inp, int wgt, int acc, int depth) {
  auto index = static_cast<size_t>(together - 1);
  index = index * kWidths + static_cast<size_t>(inp - kLeastWidth);
  index = index * kWidths + static_cast<size_t>(wgt - kLeastWidth);
  index = index * kAccs + static_cast<size_t>(acc - kLeastAcc);
  return index * kDepths + static_cast<size_t>(depth);
}

std::array<double, kAreaTerms> read_coefficients(const JsonObject& object) {
  constexpr double kMost = 1e9;
  std::array<double, kAreaTerms> coefficients = {};
  for (size_t i = 0; i < kAreaTerms; ++i) coefficients[i] = object.number(kAreaTermNames[i], -kMost, kMost);
  return coefficients;
}

// Whether the tile can have such a column, so that the table must.
bool has_column(int together, int inp, int wgt) {
  return together == 1 || shares_multipliers(1 << inp, 1 << wgt);
}

std::vector<AreaColumn> read_columns(const JsonObject& object) {
  std::vector<std::optional<AreaColumn>> found(kColumns);
  constexpr int kMost = 10'000'000;
  object.each_object(
      "columns", {"together", "inp", "wgt", "acc", "depth", "luts", "flip_flops", "dsps"},
      [&](const JsonObject& entry) {
        const size_t index =
            index_of_column(entry.integer("together", 1, 2), entry.integer("inp", kLeastWidth, kMostWidth),
                            entry.integer("wgt", kLeastWidth, kMostWidth), entry.integer("acc", kLeastAcc, kMostAcc),
                            entry.integer("depth", 0, kMostDepth));
        const auto count = [&](std::string_view key) { return static_cast<uint32_t>(entry.natural(key, 0, kMost)); };
        found[index] = {count("luts"), count("flip_flops"), count("dsps")};
      });
  std::vector<AreaColumn> columns(kColumns);
  const auto take = [&](int together, int inp, int wgt, int acc, int depth) {
    const size_t index = index_of_column(together, inp, wgt, acc, depth);
    if (!found[index]) {
      object.refuse("columns", fmt::format("one for together {}, inp {}, wgt {}, acc {} and depth {} as well", together,
                                           inp, wgt, acc, depth));
    }
    columns[index] = *found[index];
  };
  for (int together = 1; together <= 2; ++together) {
    for (int inp = kLeastWidth; inp <= kMostWidth; ++inp) {
      for (int wgt = kLeastWidth; wgt <= kMostWidth; ++wgt) {
        if (!has_column(together, inp, wgt)) continue;
        for (int acc = kLeastAcc; acc <= kMostAcc; ++acc) {
          for (int depth = 0; depth <= kMostDepth; ++depth) take(together, inp, wgt, acc, depth);
        }
      }
    }
  }
  return columns;
}

std::vector<std::string> term_names() {
  return {kAreaTermNames.begin(), kAreaTermNames.end()};
}

double dot(const std::array<double, kAreaTerms>& coefficients, const AreaCounts& counts) {
  double sum = 0;
  for (size_t i = 0; i < kAreaTerms; ++i) sum += coefficients[i] * counts.terms[i];
  return sum;
}

uint64_t whole(double count) {
  return count <= 0 ? 0 : static_cast<uint64_t>(std::llround(count));
}

}  // namespace

AreaModel AreaModel::parse(std::string_view json_text, std::string_view source) {
  const Json json = parse_json(json_text, source);
  const JsonObject object(
      json, std::string(source),
      {"name", "meaning", "family", "also", "source", "range", "luts", "flip_flops", "dsps", "columns"});
  AreaModel model;
  model.name_ = object.string("name");
  model.meaning_ = object.string("meaning");
  model.family_ = object.string("family");
  const JsonObject also = object.object("also");
  for (const std::string& family : also.keys()) model.also_[family] = also.string(family);
  object.string("source");
  std::vector<std::string> numbers;
  for (const isa::ConfigKey& key : isa::config_keys()) {
    if (key.number != nullptr) numbers.push_back(key.name);
  }
  const JsonObject range = object.object("range", numbers);
  for (const isa::ConfigKey& key : isa::config_keys()) {
    if (key.number == nullptr || !range.has(key.name)) continue;
    const std::vector<int> bounds = range.integers(key.name, key.min, key.max);
    if (bounds.size() != 2 || bounds[0] > bounds[1]) range.refuse(key.name, "the least and the most, as [2, 4]");
    model.ranges_.push_back({key.name, key.number, bounds[0], bounds[1]});
  }
  model.luts_ = read_coefficients(object.object("luts", term_names()));
  model.flip_flops_ = read_coefficients(object.object("flip_flops", term_names()));
  model.dsps_ = read_coefficients(object.object("dsps", term_names()));
  model.columns_ = read_columns(object);
  return model;
}

std::optional<AreaModel> AreaModel::of_family(std::string_view family) {
  for (const EmbeddedFile& file : area_files()) {
    AreaModel model = parse(file.text, "configs/area/" + file.name);
    if (model.serves(family)) return model;
  }
  return std::nullopt;
}

std::string AreaModel::caveat(std::string_view family) const {
  const auto found = also_.find(family);
  return found == also_.end() ? "" : found->second;
}

AreaColumn AreaModel::column(const isa::Config& config) const {
  const isa::ConfigKeys& keys = config.keys();
  const int inp = std::clamp(keys.log_inp_width, kLeastWidth, kMostWidth);
  const int wgt = std::clamp(keys.log_wgt_width, kLeastWidth, kMostWidth);
  const int acc = std::clamp(keys.log_acc_width, kLeastAcc, kMostAcc);
  const int depth = std::min(keys.log_block_in, kMostDepth);
  AreaColumn column = columns_[index_of_column(columns_together(config), inp, wgt, acc, depth)];
  const uint32_t deeper = uint32_t{1} << (keys.log_block_in - depth);
  return {column.luts * deeper, column.flip_flops * deeper, column.dsps * deeper};
}

Resources AreaModel::counted(const isa::Config& config, const AreaOfMemories& memories) const {
  const AreaColumn each = column(config);
  const auto columns = static_cast<uint64_t>(config.batch() * config.block_out() / columns_together(config));
  return {.luts = memories.luts + columns * each.luts,
          .flip_flops = memories.flip_flops + columns * each.flip_flops,
          .dsps = columns * each.dsps,
          .block_rams = (memories.block_rams_18k + 1) / 2};
}

Resources AreaModel::counted(const isa::Config& config) const {
  return counted(config, area_counts(config).memories);
}

Resources AreaModel::estimate(const isa::Config& config) const {
  const AreaCounts counts = area_counts(config);
  Resources sum = counted(config, counts.memories);
  sum.luts += whole(dot(luts_, counts));
  sum.flip_flops += whole(dot(flip_flops_, counts));
  sum.dsps += whole(dot(dsps_, counts));
  return sum;
}

bool AreaModel::covers(const isa::Config& config) const {
  return std::all_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    const int value = config.keys().*range.number;
    return value >= range.least && value <= range.most;
  });
}

std::string AreaModel::beyond(const isa::Config& config) const {
  for (const Range& range : ranges_) {
    const int value = config.keys().*range.number;
    if (value >= range.least && value <= range.most) continue;
    return fmt::format("{} is {}, and the estimate was fitted from {} to {} only", range.key, value, range.least,
                       range.most);
  }
  return "";
}

Resources estimate_resources(const isa::Config& config, std::string_view family) {
  // Read once: parsing takes a thousand times as long as an estimate.
  static const std::vector<AreaModel> kModels = [] {
    std::vector<AreaModel> models;
    for (const EmbeddedFile& file : area_files()) models.push_back(AreaModel::parse(file.text, file.name));
    return models;
  }();
  for (const AreaModel& model : kModels) {
    if (model.serves(family)) return model.estimate(config);
  }
  fail("no estimate is known of the family {}, what a core takes there", family);
}

}  // namespace vantage::fpga
