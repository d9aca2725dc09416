#include "compiler/schedule/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/json_object.h"

namespace vantage::schedule {

namespace {

// Names of handles in the order in which a trace makes them: b0, b1 for blocks, l0 for a loop, l1[2] for one of
// several, n0 and n1[2] for numbers.
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
    } else if (const auto* drawn = std::get_if<IntRV>(&r)) {
      variable = fmt::format("n{}", next_numbers_++);
      numbers_[drawn->id] = variable;
    } else if (const auto* numbers = std::get_if<std::vector<IntRV>>(&r)) {
      variable = fmt::format("n{}", next_numbers_++);
      for (size_t i = 0; i < numbers->size(); ++i) numbers_[(*numbers)[i].id] = fmt::format("{}[{}]", variable, i);
    } else {
      return {};
    }
    return "const auto " + variable + " = ";
  }

  std::string argument(const Argument& a) const {
    if (const auto* block = std::get_if<BlockRV>(&a)) return fmt::format("b{}", block->id);
    if (const auto* l = std::get_if<LoopRV>(&a)) return loop(*l);
    if (const auto* drawn = std::get_if<IntRV>(&a)) return number(*drawn);
    if (const auto* value = std::get_if<int64_t>(&a)) return fmt::format("{}", *value);
    if (const auto* text = std::get_if<std::string>(&a)) return Json(*text).dump();
    std::vector<std::string> parts;
    if (const auto* loops = std::get_if<std::vector<LoopRV>>(&a)) {
      for (LoopRV l : *loops) parts.push_back(loop(l));
    } else if (const auto* probabilities = std::get_if<Probabilities>(&a)) {
      for (double p : *probabilities) parts.push_back(fmt::format("{}", p));
    } else {
      for (const auto& factor : std::get<Factors>(a)) parts.push_back(factor ? number(*factor) : "std::nullopt");
    }
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }

  std::string loop(LoopRV l) const {
    const auto found = loops_.find(l.id);
    return found != loops_.end() ? found->second : fmt::format("unknown_loop_{}", l.id);
  }

  std::string number(const Factor& n) const {
    if (const int64_t* known = n.known()) return fmt::format("{}", *known);
    const auto found = numbers_.find(n.drawn().id);
    return found != numbers_.end() ? found->second : fmt::format("unknown_number_{}", n.drawn().id);
  }

  std::map<int, std::string> loops_, numbers_;
  int next_loops_ = 0, next_numbers_ = 0;
};

Json loop_list(const std::vector<LoopRV>& loops) {
  Json list = Json::array();
  for (LoopRV loop : loops) list.push_back(loop.id);
  return list;
}

Json number_json(const Factor& number) {
  if (const int64_t* known = number.known()) return *known;
  return {{"number", number.drawn().id}};
}

Json argument_json(const Argument& a) {
  if (const auto* block = std::get_if<BlockRV>(&a)) return {{"block", block->id}};
  if (const auto* loop = std::get_if<LoopRV>(&a)) return {{"loop", loop->id}};
  if (const auto* loops = std::get_if<std::vector<LoopRV>>(&a)) return {{"loops", loop_list(*loops)}};
  if (const auto* drawn = std::get_if<IntRV>(&a)) return number_json(*drawn);
  if (const auto* number = std::get_if<int64_t>(&a)) return *number;
  if (const auto* text = std::get_if<std::string>(&a)) return *text;
  if (const auto* probabilities = std::get_if<Probabilities>(&a)) return *probabilities;
  Json factors = Json::array();
  for (const auto& factor : std::get<Factors>(a)) factors.push_back(factor ? number_json(*factor) : Json(nullptr));
  return factors;
}

Json result_json(const Step::Result& r) {
  if (const auto* block = std::get_if<BlockRV>(&r)) return {{"block", block->id}};
  if (const auto* loop = std::get_if<LoopRV>(&r)) return {{"loop", loop->id}};
  if (const auto* loops = std::get_if<std::vector<LoopRV>>(&r)) return {{"loops", loop_list(*loops)}};
  if (const auto* drawn = std::get_if<IntRV>(&r)) return number_json(*drawn);
  if (const auto* numbers = std::get_if<std::vector<IntRV>>(&r)) {
    Json list = Json::array();
    for (IntRV number : *numbers) list.push_back(number.id);
    return {{"numbers", list}};
  }
  return nullptr;
}

constexpr int kMostHandles = INT32_MAX;

// A list with a fraction in it is one of probabilities, any other one of factors.
Argument list_from(const Json& list, const std::string& where) {
  const auto is_fraction = [](const Json& value) { return value.is_number_float(); };
  const auto is_number = [](const Json& value) { return value.is_number(); };
  if (std::any_of(list.begin(), list.end(), is_fraction) && std::all_of(list.begin(), list.end(), is_number)) {
    return list.get<Probabilities>();
  }
  Factors factors;
  for (const Json& factor : list) {
    if (factor.is_null()) {
      factors.push_back(std::nullopt);
    } else if (factor.is_number_integer()) {
      factors.push_back(factor.get<int64_t>());
    } else if (factor.is_object()) {
      factors.push_back(IntRV{JsonObject(factor, where, {"number"}).integer("number", 0, kMostHandles)});
    } else {
      fail("{}: a factor is {}, expected an integer, a drawn number or null", where, json_excerpt(factor));
    }
  }
  return factors;
}

Argument argument_from(const Json& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_array()) return list_from(value, where);
  if (value.is_object() && value.size() == 1) {
    const JsonObject object(value, where);
    if (object.has("block")) return BlockRV{object.integer("block", 0, kMostHandles)};
    if (object.has("loop")) return LoopRV{object.integer("loop", 0, kMostHandles)};
    if (object.has("number")) return IntRV{object.integer("number", 0, kMostHandles)};
    if (object.has("loops")) {
      std::vector<LoopRV> loops;
      for (const int id : object.integers("loops", 0, kMostHandles)) loops.push_back({id});
      return loops;
    }
  }
  fail("{}: {} is no argument; expected a number, a text, a list of numbers, or a block, loop, loops or drawn number",
       where, json_excerpt(value));
}

Step::Result result_from(const Json& value, const std::string& where) {
  if (value.is_object() && value.size() == 1 && value.contains("numbers")) {
    std::vector<IntRV> numbers;
    for (const int id : JsonObject(value, where).integers("numbers", 0, kMostHandles)) numbers.push_back({id});
    return numbers;
  }
  const Argument handle = argument_from(value, where);
  if (const auto* block = std::get_if<BlockRV>(&handle)) return *block;
  if (const auto* loop = std::get_if<LoopRV>(&handle)) return *loop;
  if (const auto* loops = std::get_if<std::vector<LoopRV>>(&handle)) return *loops;
  if (const auto* number = std::get_if<IntRV>(&handle)) return *number;
  return {};
}

bool draws(const Step& step) {
  return step.primitive.starts_with("sample_");
}

}  // namespace

std::optional<Decision> decision(const Step& step) {
  if (!draws(step) || step.arguments.empty()) return std::nullopt;
  Decision result;
  if (const auto* place = std::get_if<int64_t>(&step.arguments.back())) return Decision{*place};
  const auto* factors = std::get_if<Factors>(&step.arguments.back());
  if (factors == nullptr) return std::nullopt;
  for (const auto& factor : *factors) {
    if (!factor || factor->known() == nullptr) return std::nullopt;
    result.push_back(*factor->known());
  }
  return result;
}

Trace with_decision(Trace trace, size_t step, const Decision& decision) {
  if (step >= trace.size()) fail("the trace has {} steps, there is no step {}", trace.size(), step);
  Step& changed = trace[step];
  if (!draws(changed) || changed.arguments.empty()) {
    fail("step {} of the trace, {}, draws nothing that could be decided otherwise", step, changed.primitive);
  }
  Argument& last = changed.arguments.back();
  if (std::holds_alternative<int64_t>(last)) {
    if (decision.size() != 1) fail("step {} of the trace, {}, draws one number", step, changed.primitive);
    last = decision.front();
  } else {
    last = Factors(decision.begin(), decision.end());
  }
  return trace;
}

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
    if (object.has("result")) result.result = result_from(object.value("result"), where);
    trace.push_back(std::move(result));
  }
  return trace;
}

}  // namespace vantage::schedule
