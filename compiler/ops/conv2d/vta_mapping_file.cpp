#include "compiler/ops/conv2d/vta_mapping_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/math.h"
#include "compiler/ops/conv2d/vta_fit.h"
#include "compiler/ops/conv2d/vta_tiles.h"

namespace vantage::ops {

namespace {

constexpr uint64_t kMostParts = 64;
constexpr uint64_t kLargestSide = 1 << 16;

struct Side {
  const char* key;
  int64_t VtaConv2dTiling::*side;
};
constexpr std::array kSides = {Side{"n", &VtaConv2dTiling::n}, Side{"oc", &VtaConv2dTiling::oc},
                               Side{"h", &VtaConv2dTiling::h}, Side{"w", &VtaConv2dTiling::w},
                               Side{"ic", &VtaConv2dTiling::ic}};

struct Dimension {
  const char* key;
  Span VtaConv2dPart::*span;
};
constexpr std::array kDimensions = {Dimension{"n", &VtaConv2dPart::n}, Dimension{"oc", &VtaConv2dPart::oc},
                                    Dimension{"h", &VtaConv2dPart::h}};

struct Choice {
  const char* key;
  bool VtaConv2dTiling::*choice;
  const char* meaning;
};
constexpr std::array kChoices = {
    Choice{"channels_outside", &VtaConv2dTiling::channels_outside, "output channels outside"},
    Choice{"threads_in_turn", &VtaConv2dTiling::threads_in_turn, "tiles dealt in turn"},
    Choice{"staggered", &VtaConv2dTiling::staggered, "half a tile apart"},
    Choice{"input_resident", &VtaConv2dTiling::input_resident, "input resident"},
    Choice{"weights_resident", &VtaConv2dTiling::weights_resident, "weights resident"},
    Choice{"weights_shared", &VtaConv2dTiling::weights_shared, "weights shared"},
    Choice{"picks_pixels", &VtaConv2dTiling::picks_pixels, "pixels one by one"},
    Choice{"bias_resident", &VtaConv2dTiling::bias_resident, "bias resident"},
};

struct Number {
  const char* key;
  int VtaConv2dTiling::*number;
  int most;
};
constexpr std::array kNumbers = {Number{"threads", &VtaConv2dTiling::threads, 16},
                                 Number{"chunk_places", &VtaConv2dTiling::chunk_places, 64},
                                 Number{"sum_places", &VtaConv2dTiling::sum_places, 64}};

// Of the whole mapping.
struct Note {
  const char* key;
  bool VtaConv2dMapping::*note;
};
constexpr std::array kNotes = {
    Note{"in_slices", &VtaConv2dMapping::in_slices}, Note{"fills_waits", &VtaConv2dMapping::fills_waits},
    Note{"shares_micro_ops", &VtaConv2dMapping::shares_micro_ops}, Note{"skips_zeros", &VtaConv2dMapping::skips_zeros}};

std::vector<std::string> mapping_keys() {
  std::vector<std::string> keys = {"parts"};
  for (const Note& n : kNotes) keys.emplace_back(n.key);
  return keys;
}

std::vector<std::string> part_keys() {
  std::vector<std::string> keys = {"tile"};
  for (const Number& n : kNumbers) keys.emplace_back(n.key);
  for (const Dimension& d : kDimensions) keys.emplace_back(d.key);
  for (const Choice& c : kChoices) keys.emplace_back(c.key);
  return keys;
}

Json tile_json(const VtaConv2dTiling& t) {
  Json tile = Json::object();
  for (const Side& side : kSides) {
    if (t.*side.side != 1) tile[side.key] = t.*side.side;
  }
  return tile;
}

Span read_span(const JsonObject& json, const char* key) {
  const Json& value = json.array(key);
  const bool is_span = value.size() == 2 && value[0].is_number_unsigned() && value[1].is_number_unsigned();
  if (!is_span || value[0].get<uint64_t>() >= value[1].get<uint64_t>() || value[1].get<uint64_t>() > kLargestSide) {
    json.refuse(key, fmt::format("[begin, end), two numbers from 0 to {}, the second one larger", kLargestSide));
  }
  return {value[0].get<int64_t>(), value[1].get<int64_t>()};
}

VtaConv2dPart read_part(const JsonObject& json) {
  VtaConv2dPart part;
  for (const Dimension& d : kDimensions) {
    if (json.has(d.key)) part.*d.span = read_span(json, d.key);
  }
  if (json.has("tile")) {
    std::vector<std::string> sides;
    for (const Side& side : kSides) sides.emplace_back(side.key);
    const JsonObject tile = json.object("tile", std::move(sides));
    for (const Side& side : kSides) {
      const auto given = tile.optional(side.key, &JsonObject::natural, uint64_t{1}, kLargestSide);
      if (given) part.tiling.*side.side = static_cast<int64_t>(*given);
    }
  }
  for (const Number& n : kNumbers) {
    part.tiling.*n.number = json.optional(n.key, &JsonObject::integer, 1, n.most).value_or(1);
  }
  for (const Choice& c : kChoices) {
    if (const auto given = json.optional(c.key, &JsonObject::boolean)) part.tiling.*c.choice = *given;
  }
  const VtaConv2dTiling& t = part.tiling;
  if (t.weights_shared && (t.weights_resident || !t.channels_outside || t.threads < 2)) {
    json.refuse("weights_shared", "false, or several threads, channels_outside and no weights_resident beside it");
  }
  for (const char* key : {"threads_in_turn", "staggered"}) {
    if (t.threads < 2 && json.has(key) && json.boolean(key)) json.refuse(key, "false where there is one thread");
  }
  return part;
}

std::string box_text(const VtaConv2dPart& part, const std::array<int64_t, 3>& sizes) {
  std::string text;
  for (size_t d = 0; d < kDimensions.size(); ++d) {
    const Span& span = part.*kDimensions[d].span;
    text +=
        fmt::format("{}{} {} to {}", d == 0 ? "" : ", ", kDimensions[d].key, span.begin, std::min(span.end, sizes[d]));
  }
  return text;
}

}  // namespace

Json to_json(const VtaConv2dMapping& mapping) {
  Json parts = Json::array();
  for (const VtaConv2dPart& p : mapping.parts) {
    Json part = Json::object();
    for (const Dimension& d : kDimensions) {
      if (!(p.*d.span == Span{})) part[d.key] = {(p.*d.span).begin, (p.*d.span).end};
    }
    part["tile"] = tile_json(p.tiling);
    for (const Number& n : kNumbers) {
      if (p.tiling.*n.number != 1) part[n.key] = p.tiling.*n.number;
    }
    const VtaConv2dTiling defaults;
    for (const Choice& c : kChoices) {
      if (p.tiling.*c.choice != defaults.*c.choice) part[c.key] = p.tiling.*c.choice;
    }
    parts.push_back(std::move(part));
  }
  Json json = {{"parts", std::move(parts)}};
  for (const Note& n : kNotes) {
    if (mapping.*n.note) json[n.key] = true;
  }
  return json;
}

VtaConv2dMapping parse_mapping(std::string_view text, std::string_view source) {
  const Json json = parse_json(text, source);
  const JsonObject object(json, std::string(source), mapping_keys());
  const size_t count = object.array("parts").size();
  if (count < 1 || count > kMostParts) object.refuse("parts", fmt::format("1 to {} parts", kMostParts));
  std::vector<VtaConv2dPart> parts;
  object.each_object("parts", part_keys(), [&](const JsonObject& part) { parts.push_back(read_part(part)); });
  VtaConv2dMapping mapping(std::move(parts));
  for (const Note& n : kNotes) mapping.*n.note = object.has(n.key) && object.boolean(n.key);
  return mapping;
}

void check_mapping(const VtaConv2dMapping& mapping, const Conv2dShape& shape, const Epilogue& epilogue,
                   const isa::Config& config, std::string_view source) {
  const std::array<int64_t, 3> sizes = {ceil_div(shape.batch, config.batch()),
                                        ceil_div(shape.out_channels, config.block_out()), shape.out_height()};
  const auto extent = [&](const VtaConv2dPart& p, size_t d) { return (p.*kDimensions[d].span).extent(sizes[d]); };
  int64_t covered = 0;
  const auto& parts = mapping.parts;
  for (size_t i = 0; i < parts.size(); ++i) {
    int64_t volume = 1;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const Span& span = parts[i].*kDimensions[d].span;
      if (span.begin >= sizes[d] || (span.end != Span{}.end && span.end > sizes[d])) {
        fail("{}: parts[{}]: {} is [{}, {}), but the layer has {} there, in {}", source, i, kDimensions[d].key,
             span.begin, span.end, sizes[d], d == 2 ? "rows" : "tiles");
      }
      volume *= extent(parts[i], d);
    }
    covered += volume;
    for (size_t j = 0; j < i; ++j) {
      const auto meet = [&](size_t d) {
        const Span &a = parts[i].*kDimensions[d].span, &b = parts[j].*kDimensions[d].span;
        return a.begin < b.end && b.begin < a.end;
      };
      if (meet(0) && meet(1) && meet(2)) {
        fail("{}: parts[{}] and parts[{}] both compute some of {}; each result belongs to one part", source, j, i,
             box_text(parts[i], sizes));
      }
    }
    const VtaConv2dTiling& t = parts[i].tiling;
    if (t.picks_pixels && !shape.skips_pixels()) {
      fail("{}: parts[{}]: picks_pixels is true, but this layer reaches every pixel; leave it out", source, i);
    }
    if (t.bias_resident && channel_vectors(epilogue) == 0) {
      fail("{}: parts[{}]: bias_resident is true, but this layer has no bias; leave it out", source, i);
    }
    switch (load_fault(shape, parts[i], config)) {
      case LoadFault::kNone: break;
      case LoadFault::kUnevenRows:
        fail(
            "{}: parts[{}]: w is {}, but rows of a padded layer are cut into pieces of one length; expected a divisor "
            "of {}, or input_resident",
            source, i, t.w, shape.out_width());
      case LoadFault::kNoPixelDown:
        fail(
            "{}: parts[{}]: some tile of {} of its rows needs none of the image, only zeros around it, and a load "
            "needs a pixel; expected a greater h, a taller part, or input_resident",
            source, i, std::min(t.h, extent(parts[i], 2)));
      case LoadFault::kNoPixelAcross:
        fail(
            "{}: parts[{}]: some tile of {} of the columns needs none of the image, only zeros around it, and a load "
            "needs a pixel; expected a greater w, or input_resident",
            source, i, std::min(t.w, shape.out_width()));
    }
    if (fits(shape, epilogue, parts[i], config)) continue;
    const ScratchpadUse use = scratchpad_use(shape, epilogue, parts[i], config);
    const auto depth = [&](isa::Memory m) { return config.depth(m).count(); };
    fail(
        "{}: parts[{}] does not fit configuration {}: it takes {} of {} elements of INP, {} of {} of WGT and {} of {} "
        "of ACC, shared evenly by {} threads; smaller tiles or fewer threads would",
        source, i, config.name(), use.inp, depth(isa::Memory::kInp), use.wgt, depth(isa::Memory::kWgt), use.acc,
        depth(isa::Memory::kAcc), t.threads);
  }
  if (!fits(shape, epilogue, mapping, config)) {
    fail("{}: the parts, each of which fits, do not fit ACC with all of their biases; leave bias_resident out", source);
  }
  const int64_t all = sizes[0] * sizes[1] * sizes[2];
  if (covered != all) {
    fail("{}: the parts compute {} of {} rows of results; together they must make up n 0 to {}, oc 0 to {}, h 0 to {}",
         source, covered, all, sizes[0], sizes[1], sizes[2]);
  }
}

std::string describe(const VtaConv2dTiling& t) {
  std::string text = fmt::format("tiles of {}x{}x{}x{}, {} input channel tiles at a time, {} virtual thread{}", t.n,
                                 t.oc, t.h, t.w, t.ic, t.threads, t.threads == 1 ? "" : "s");
  if (t.chunk_places > 1) text += fmt::format(", chunks in {} places", t.chunk_places);
  if (t.sum_places > 1) text += fmt::format(", sums in {} places", t.sum_places);
  for (const Choice& c : kChoices) {
    if (c.choice == &VtaConv2dTiling::channels_outside || c.choice == &VtaConv2dTiling::threads_in_turn) continue;
    if (t.*c.choice) text += fmt::format(", {}", c.meaning);
  }
  return text;
}

}  // namespace vantage::ops
