// Tasks as JSON.
#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"
#include "compiler/ops/vta_task.h"

namespace vantage::ops {

namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 31;  // along a dimension
constexpr size_t kMostSteps = 1000;

Json pair_json(int64_t rows, int64_t columns) {
  return Json::array({rows, columns});
}

Json window_json(const char* op, int64_t kernel_h, int64_t kernel_w, const PerAxis& stride, const Border& pad,
                 const PerAxis& dilation) {
  return {{"op", op},
          {"kernel", pair_json(kernel_h, kernel_w)},
          {"stride", pair_json(stride.rows, stride.columns)},
          {"pad", {pad.top, pad.left, pad.bottom, pad.right}},
          {"dilation", pair_json(dilation.rows, dilation.columns)}};
}

Json task_json(const VtaConv2d& conv) {
  const Conv2dShape& s = conv.shape;
  const Epilogue& e = conv.epilogue;
  Json json = window_json("conv2d", s.kernel_h, s.kernel_w, s.stride, s.pad, s.dilation);
  json["batch"] = s.batch;
  json["in_channels"] = s.in_channels;
  json["height"] = s.height;
  json["width"] = s.width;
  json["out_channels"] = s.out_channels;
  json["channelwise"] = s.channelwise;
  json["epilogue"] = {{"bias", e.bias},
                      {"shift", e.shift},
                      {"clip", {e.clip_min, e.clip_max}},
                      {"cut", e.cut},
                      {"multiplier", e.multiplier ? Json(*e.multiplier) : Json()},
                      {"multipliers", e.has_multipliers},
                      {"addend", e.has_addend},
                      {"addend_factor", e.addend_factor}};
  return json;
}

Json task_json(const VtaPool& p) {
  Json json = window_json("max_pool2d", p.kernel_h, p.kernel_w, p.stride, p.pad, p.dilation);
  json["batch"] = p.batch;
  json["channels"] = p.channels;
  json["height"] = p.height;
  json["width"] = p.width;
  json["least"] = p.least;
  return json;
}

Json task_json(const Elementwise& layer) {
  Json steps = Json::array();
  for (const ElementwiseStep& step : layer.steps) {
    Json one = {{"op", isa::name(step.op)}, {"a", step.a}};
    if (step.b) {
      one["b"] = *step.b;
    } else {
      one["immediate"] = step.immediate;
    }
    steps.push_back(std::move(one));
  }
  return {{"op", "elementwise"}, {"size", layer.size}, {"operands", layer.operands}, {"steps", std::move(steps)}};
}

int64_t size_in(const JsonObject& json, const char* key) {
  return static_cast<int64_t>(json.natural(key, 1, kMostElements));
}

PerAxis pair_in(const JsonObject& json, const char* key) {
  const std::vector<int> both = json.integers(key, 1, 1 << 20);
  if (both.size() != 2) json.refuse(key, "two numbers, of rows and of columns");
  return {both[0], both[1]};
}

Border border_in(const JsonObject& json) {
  const std::vector<int> sides = json.integers("pad", 0, 1 << 20);
  if (sides.size() != 4) json.refuse("pad", "four numbers: top, left, bottom and right");
  return {sides[0], sides[1], sides[2], sides[3]};
}

Epilogue epilogue_in(const JsonObject& whole) {
  const JsonObject json = whole.object(
      "epilogue", {"bias", "shift", "clip", "cut", "multiplier", "multipliers", "addend", "addend_factor"});
  Epilogue e;
  e.bias = json.boolean("bias");
  e.shift = json.integer("shift", 0, 31);
  const std::vector<int> clip = json.integers("clip", INT32_MIN, INT32_MAX);
  if (clip.size() != 2) json.refuse("clip", "two numbers, the least and the greatest result");
  e.clip_min = clip[0];
  e.clip_max = clip[1];
  e.cut = json.integer("cut", 0, 31);
  e.multiplier = json.nullable("multiplier", &JsonObject::integer, INT32_MIN, INT32_MAX);
  e.has_multipliers = json.boolean("multipliers");
  e.has_addend = json.boolean("addend");
  e.addend_factor = json.integer("addend_factor", INT32_MIN, INT32_MAX);
  check_epilogue(e);
  return e;
}

VtaConv2d read_conv_task(const Json& value, const std::string& source) {
  const JsonObject json(value, source,
                        {"op", "kernel", "stride", "pad", "dilation", "batch", "in_channels", "height", "width",
                         "out_channels", "channelwise", "epilogue"});
  VtaConv2d conv;
  Conv2dShape& s = conv.shape;
  s.batch = size_in(json, "batch");
  s.in_channels = size_in(json, "in_channels");
  s.height = size_in(json, "height");
  s.width = size_in(json, "width");
  s.out_channels = size_in(json, "out_channels");
  const PerAxis kernel = pair_in(json, "kernel");
  s.kernel_h = kernel.rows;
  s.kernel_w = kernel.columns;
  s.stride = pair_in(json, "stride");
  s.pad = border_in(json);
  s.dilation = pair_in(json, "dilation");
  s.channelwise = json.boolean("channelwise");
  check_conv2d_shape(s);
  conv.epilogue = epilogue_in(json);
  return conv;
}

VtaPool read_pool_task(const Json& value, const std::string& source) {
  const JsonObject json(value, source,
                        {"op", "kernel", "stride", "pad", "dilation", "batch", "channels", "height", "width", "least"});
  VtaPool p;
  p.batch = size_in(json, "batch");
  p.channels = size_in(json, "channels");
  p.height = size_in(json, "height");
  p.width = size_in(json, "width");
  const PerAxis kernel = pair_in(json, "kernel");
  p.kernel_h = kernel.rows;
  p.kernel_w = kernel.columns;
  p.stride = pair_in(json, "stride");
  p.pad = border_in(json);
  p.dilation = pair_in(json, "dilation");
  p.least = json.integer("least", INT32_MIN, INT32_MAX);
  check_conv2d_shape(p.places());
  return p;
}

Elementwise read_elementwise_task(const Json& value, const std::string& source) {
  const JsonObject json(value, source, {"op", "size", "operands", "steps"});
  Elementwise layer;
  layer.size = size_in(json, "size");
  layer.operands = json.integer("operands", 1, 2);
  json.each_object("steps", {"op", "a", "b", "immediate"}, [&](const JsonObject& one) {
    const int known = layer.operands + static_cast<int>(layer.steps.size());  // values so far
    if (layer.steps.size() == kMostSteps) json.refuse("steps", fmt::format("{} steps at most", kMostSteps));
    ElementwiseStep step;
    const std::optional<isa::AluOp> op = isa::alu_op_from_name(one.string("op"));
    if (!op) one.refuse("op", "min, max, add, shr or mul");
    step.op = *op;
    step.a = one.integer("a", 0, known - 1);
    step.b = one.optional("b", &JsonObject::integer, 0, known - 1);
    if (!step.b) step.immediate = one.integer("immediate", INT32_MIN, INT32_MAX);
    layer.steps.push_back(step);
  });
  if (layer.steps.empty()) json.refuse("steps", "one step at least");
  return layer;
}

}  // namespace

Json to_json(const VtaTask& task) {
  return std::visit([](const auto& layer) { return task_json(layer); }, task);
}

VtaTask parse_task(const Json& value, const std::string& source) {
  const JsonObject json(value, source);
  const std::string op = json.one_of("op", {"conv2d", "max_pool2d", "elementwise"});
  if (op == "conv2d") return read_conv_task(value, source);
  if (op == "max_pool2d") return read_pool_task(value, source);
  return read_elementwise_task(value, source);
}

}  // namespace vantage::ops
