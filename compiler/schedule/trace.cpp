#include "compiler/schedule/trace.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/json_object.h"

namespace vantage::schedule {

namespace {

// Names of handles in the order in which a trace makes them: b0, b1 for blocks, l0 for a loop, l1[2] for one of
// several.
class CppWriter {
 public:
  std::string statement(const Step& step) {
    std::string text = "sch." + step.primitive + "(";
    for (size_t i = 0; i < step.arguments.size(); ++i) text += (i == 0 ? "" : ", ") + argument(step.arguments[i]);
    return result(step.result) + text + ");\n";
  }

 private:
  std::string result(const Step::Result& r) {
    std::string variable;
    if (const auto* block = std::get_if<BlockRV>(&r)) {
      variable = fmt::format("b{}", block->id);
    } else if (const auto* loop = std::get_if<LoopRV>(&r)) {
      variable = fmt::format("l{}", next_loops_++);
      loops_[loop->id] = variable;
    } else if (const auto* loops = std::get_if<std::vector<LoopRV>>(&r)) {
      variable = fmt::format("l{}", next_loops_++);
      for (size_t i = 0; i < loops->size(); ++i) loops_[(*loops)[i].id] = fmt::format("{}[{}]", variable, i);
    } else {
      return {};
    }
    return "const auto " + variable + " = ";
  }

  std::string argument(const Argument& a) const {
    if (const auto* block = std::get_if<BlockRV>(&a)) return fmt::format("b{}", block->id);
    if (const auto* l = std::get_if<LoopRV>(&a)) return loop(*l);
    if (const auto* number = std::get_if<int64_t>(&a)) return fmt::format("{}", *number);
    if (const auto* text = std::get_if<std::string>(&a)) return Json(*text).dump();
    std::vector<std::string> parts;
    if (const auto* loops = std::get_if<std::vector<LoopRV>>(&a)) {
      for (LoopRV l : *loops) parts.push_back(loop(l));
    } else {
      for (const auto& factor : std::get<Factors>(a)) {
        parts.push_back(factor ? fmt::format("{}", *factor) : "std::nullopt");
      }
    }
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }

  std::string loop(LoopRV l) const {
    const auto found = loops_.find(l.id);
    return found != loops_.end() ? found->second : fmt::format("unknown_loop_{}", l.id);
  }

  std::map<int, std::string> loops_;
  int next_loops_ = 0;
};

Json loop_list(const std::vector<LoopRV>& loops) {
  Json list = Json::array();
  for (LoopRV loop : loops) list.push_back(loop.id);
  return list;
}

Json argument_json(const Argument& a) {
  if (const auto* block = std::get_if<BlockRV>(&a)) return {{"block", block->id}};
  if (const auto* loop = std::get_if<LoopRV>(&a)) return {{"loop", loop->id}};
  if (const auto* loops = std::get_if<std::vector<LoopRV>>(&a)) return {{"loops", loop_list(*loops)}};
  if (const auto* number = std::get_if<int64_t>(&a)) return *number;
  if (const auto* text = std::get_if<std::string>(&a)) return *text;
  Json factors = Json::array();
  for (const auto& factor : std::get<Factors>(a)) factors.push_back(factor ? Json(*factor) : Json(nullptr));
  return factors;
}

Json result_json(const Step::Result& r) {
  if (const auto* block = std::get_if<BlockRV>(&r)) return {{"block", block->id}};
  if (const auto* loop = std::get_if<LoopRV>(&r)) return {{"loop", loop->id}};
  if (const auto* loops = std::get_if<std::vector<LoopRV>>(&r)) return {{"loops", loop_list(*loops)}};
  return nullptr;
}

constexpr int kMostHandles = INT32_MAX;

Argument argument_from(const Json& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_array()) {
    Factors factors;
    for (const Json& factor : value) {
      if (!factor.is_null() && !factor.is_number_integer()) {
        fail("{}: a factor is {}, expected an integer or null", where, json_excerpt(factor));
      }
      factors.push_back(factor.is_null() ? std::nullopt : std::optional(factor.get<int64_t>()));
    }
    return factors;
  }
  if (value.is_object() && value.size() == 1) {
    const JsonObject object(value, where);
    if (object.has("block")) return BlockRV{object.integer("block", 0, kMostHandles)};
    if (object.has("loop")) return LoopRV{object.integer("loop", 0, kMostHandles)};
    if (object.has("loops")) {
      std::vector<LoopRV> loops;
      for (const int id : object.integers("loops", 0, kMostHandles)) loops.push_back({id});
      return loops;
    }
  }
  fail("{}: {} is no argument; expected a number, a text, factors, or a block, loop or loops", where,
       json_excerpt(value));
}

}  // namespace

std::string to_cpp(const Trace& trace) {
  CppWriter writer;
  std::string text;
  for (const Step& step : trace) text += writer.statement(step);
  return text;
}

Json to_json(const Trace& trace) {
  Json steps = Json::array();
  for (const Step& step : trace) {
    Json arguments = Json::array();
    for (const Argument& argument : step.arguments) arguments.push_back(argument_json(argument));
    Json json = {{"primitive", step.primitive}, {"arguments", arguments}};
    if (!std::holds_alternative<std::monostate>(step.result)) json["result"] = result_json(step.result);
    steps.push_back(json);
  }
  return steps;
}

Trace trace_from_json(const Json& json) {
  if (!json.is_array()) fail("a trace is {}, expected an array of steps", json_excerpt(json));
  Trace trace;
  for (const Json& step : json) {
    const std::string where = fmt::format("step {} of the trace", trace.size());
    const JsonObject object(step, where, {"primitive", "arguments", "result"});
    Step result{object.string("primitive"), {}, {}};
    for (const Json& argument : object.array("arguments")) {
      result.arguments.push_back(argument_from(argument, where));
    }
    if (object.has("result")) {
      const Argument value = argument_from(object.value("result"), where);
      if (const auto* block = std::get_if<BlockRV>(&value)) result.result = *block;
      if (const auto* loop = std::get_if<LoopRV>(&value)) result.result = *loop;
      if (const auto* loops = std::get_if<std::vector<LoopRV>>(&value)) result.result = *loops;
    }
    trace.push_back(std::move(result));
  }
  return trace;
}

}  // namespace vantage::schedule
