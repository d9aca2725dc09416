#include "explore/evaluate.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"
#include "driver/device/unreachable.h"
#include "driver/open/open.h"
#include "explore/known_programs.h"
#include "workload/run_program.h"

namespace vantage::explore {

namespace {

// What others leave of a server is waited for: programs take moments, and so do those of the other workers.
std::unique_ptr<driver::Accelerator> open_in_time(const Design& design, const std::string& target) {
  constexpr auto kPatience = std::chrono::seconds(60);
  constexpr auto kLongestPause = std::chrono::milliseconds(500);
  driver::AcceleratorOptions options;
  options.memory = design.memory;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (auto pause = std::chrono::milliseconds(5);; pause = std::min(2 * pause, kLongestPause)) {
    try {
      return driver::open_accelerator(target, design.config, options);
    } catch (const driver::Busy& error) {
      if (std::chrono::steady_clock::now() >= end) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

std::unique_ptr<driver::Accelerator> open(const Design& design, const std::string& target) {
  try {
    return open_in_time(design, target);
  } catch (const driver::Unreachable& error) {
    throw LostMachine(error.what());
  } catch (const Error& error) {
    throw RefusedByMachine(error.what());
  }
}

driver::RunResult run(const Program& program, const Design& design, const std::string& target) {
  const auto device = open(design, target);
  const driver::RunResult result = [&] {
    try {
      return workload::run_program(*device, program, "the program", {}).result;
    } catch (const driver::Unreachable& error) {
      throw LostMachine(error.what());
    } catch (const Error& error) {
      throw MachineError(error.what());
    }
  }();
  if (!result.cycles || !result.activity) {
    throw LostMachine(target +
                      " does not count time and what scratchpads do; take a machine that does, such as systemc:");
  }
  return result;
}

Evaluation measure(const ops::VtaProgram& compiled, const Design& design, const std::string& target) {
  const driver::RunResult result = run(compiled.program, design, target);
  return {result.cycles->count(), compiled.bound,   compiled.binds, compiled.program.insns.size(),
          result.counters,        *result.activity, compiled.needs};
}

}  // namespace

Evaluation evaluate(const ops::VtaTask& task, const Design& design, const EvaluateOptions& options) {
  const auto* conv = std::get_if<ops::VtaConv2d>(&task);
  KnownPrograms* known = conv != nullptr ? options.known : nullptr;
  const auto find = [&](const Conv2dShape& shape, const ops::Epilogue& epilogue) {
    return ops::search_vta_conv2d(shape, epilogue, design.config, {}, design.memory, options.effort,
                                  known != nullptr ? &known->layers : nullptr);
  };
  if (known == nullptr) {
    return measure(ops::compile_task(task, design.config, design.memory, find), design, options.target);
  }
  const ops::SearchResult found = find(conv->shape, conv->epilogue);
  if (const Evaluation* same = known->find(*conv, design, found.mapping)) {
    Evaluation came = *same;  // but the bound is this design's
    came.bound = static_cast<uint64_t>(found.bound.cycles());
    came.binds = found.bound.binds();
    return came;
  }
  const auto take = [&](const Conv2dShape&, const ops::Epilogue&) { return found; };
  const Evaluation came = measure(ops::compile_task(task, design.config, design.memory, take), design, options.target);
  known->add(*conv, design, found.mapping, came);
  return came;
}

Json to_json(const Evaluation& e) {
  Json json = {{"cycles", e.cycles}, {"bound", e.bound}, {"binds", e.binds}, {"instructions", e.instructions}};
  each_count(e, [&](std::string_view name, uint64_t count) { json[std::string(name)] = count; });
  for (const Need& need : kNeeds) json[need.name] = e.needs.*need.value;
  return json;
}

Evaluation parse_evaluation(const Json& json, const std::string& source) {
  const JsonObject object(json, source);
  constexpr uint64_t kMost = INT64_MAX;
  Evaluation e{object.natural("cycles", 1, kMost),
               object.natural("bound", 0, kMost),
               object.string("binds"),
               object.natural("instructions", 1, kMost),
               {}};
  each_count(e, [&](std::string_view name, uint64_t& count) { count = object.natural(name, 0, kMost); });
  for (const Need& need : kNeeds) e.needs.*need.value = object.integer(need.name, 0, 32);
  return e;
}

}  // namespace vantage::explore
