#include "driver/rpc/protocol/messages.h"

#include <algorithm>

#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/quota.h"

namespace vantage::rpc {

using sim::RunStatus;

namespace {

RunStatus parse_status(const std::string& text) {
  for (const RunStatus status : sim::kAllRunStatuses) {
    if (sim::name(status) == text) return status;
  }
  fail("a run ended with '{}', which this program does not know; both sides should be of one version", text);
}

void fill(v1::RetireRecord& message, const sim::RetireRecord& record) {
  message.set_instruction(record.insn);
  message.set_stage(static_cast<uint32_t>(record.stage));
  message.set_issue(record.issue.count());
  message.set_start(record.start.count());
  message.set_end(record.end.count());
}

// Looked at before a message of that size is made.
void require_fits(const std::vector<sim::RetireRecord>& records) {
  constexpr size_t kFrame = 2;                           // tag and length of each
  constexpr size_t kMost = kLargestMessage - (1 << 20);  // the rest of a reply is small
  v1::RetireRecord message;
  size_t bytes = 0;
  for (const sim::RetireRecord& record : records) {
    fill(message, record);
    bytes += kFrame + message.ByteSizeLong();
    if (bytes <= kMost) continue;
    throw QuotaError(fmt::format(
        "the run's {} retire records are more than a reply holds; run the program without record_retirement",
        records.size()));
  }
}

}  // namespace

v1::LaunchReply to_message(const sim::RunResult& result) {
  require_fits(result.retired);
  v1::LaunchReply reply;
  reply.set_status(std::string(sim::name(result.status)));
  reply.set_message(result.message);
  for (const std::string& warning : result.warnings) reply.add_warnings(warning);
  for (const isa::CounterInfo& info : isa::kCounters) {
    v1::Counter& counter = *reply.add_counters();
    counter.set_name(std::string(info.name));
    counter.set_value(result.counters.*info.value);
  }
  if (result.activity) {
    for (const core::ActivityInfo& info : core::kActivity) {
      v1::Counter& counter = *reply.add_activity();
      counter.set_name(std::string(info.name));
      counter.set_value((*result.activity).*info.value);
    }
  }
  if (result.cycles) reply.set_cycles(result.cycles->count());
  if (result.seconds) reply.set_seconds(*result.seconds);
  if (result.clock_mhz) reply.set_clock_mhz(*result.clock_mhz);
  if (result.host_cycles) reply.set_host_cycles(result.host_cycles->count());
  for (const sim::StageCycles& stage : result.stages) {
    v1::StageCycles& cycles = *reply.add_stages();
    cycles.set_busy(stage.busy.count());
    cycles.set_token_wait(stage.token_wait.count());
    cycles.set_memory_wait(stage.memory_wait.count());
    cycles.set_idle(stage.idle.count());
  }
  if (result.failed_at) reply.set_failed_at(result.failed_at->count());
  for (const sim::RetireRecord& record : result.retired) fill(*reply.add_retired(), record);
  return reply;
}

sim::RunResult from_message(const v1::LaunchReply& reply) {
  sim::RunResult result;
  result.status = parse_status(reply.status());
  result.message = reply.message();
  result.warnings.assign(reply.warnings().begin(), reply.warnings().end());
  for (const v1::Counter& counter : reply.counters()) {
    const auto info = std::find_if(isa::kCounters.begin(), isa::kCounters.end(),
                                   [&](const isa::CounterInfo& i) { return i.name == counter.name(); });
    if (info != isa::kCounters.end()) result.counters.*info->value = counter.value();
  }
  if (reply.activity_size() != 0) result.activity.emplace();
  for (const v1::Counter& counter : reply.activity()) {
    const auto info = std::find_if(core::kActivity.begin(), core::kActivity.end(),
                                   [&](const core::ActivityInfo& i) { return i.name == counter.name(); });
    if (info != core::kActivity.end()) (*result.activity).*info->value = counter.value();
  }
  if (reply.has_cycles()) result.cycles = Cycles(reply.cycles());
  if (reply.has_seconds()) result.seconds = reply.seconds();
  if (reply.has_clock_mhz()) result.clock_mhz = reply.clock_mhz();
  if (reply.has_host_cycles()) result.host_cycles = Cycles(reply.host_cycles());
  for (const v1::StageCycles& stage : reply.stages()) {
    result.stages.push_back(
        {Cycles(stage.busy()), Cycles(stage.token_wait()), Cycles(stage.memory_wait()), Cycles(stage.idle())});
  }
  if (reply.has_failed_at()) result.failed_at = Cycles(reply.failed_at());
  for (const v1::RetireRecord& retired : reply.retired()) {
    if (retired.stage() >= isa::kAllStages.size()) fail("a retire record names stage {}", retired.stage());
    result.retired.push_back({retired.instruction(), static_cast<isa::Stage>(retired.stage()), Cycles(retired.issue()),
                              Cycles(retired.start()), Cycles(retired.end())});
  }
  return result;
}

v1::RunOptions to_message(const sim::RunOptions& options) {
  v1::RunOptions message;
  if (options.max_steps != UINT64_MAX) message.set_max_steps(options.max_steps);
  if (options.max_cycles != UINT64_MAX) message.set_max_cycles(options.max_cycles);
  if (options.interleaving_seed) message.set_interleaving_seed(*options.interleaving_seed);
  message.set_record_retirement(options.record_retirement);
  return message;
}

sim::RunOptions from_message(const v1::RunOptions& message) {
  sim::RunOptions options;
  if (message.max_steps() != 0) options.max_steps = message.max_steps();
  if (message.max_cycles() != 0) options.max_cycles = message.max_cycles();
  if (message.has_interleaving_seed()) options.interleaving_seed = message.interleaving_seed();
  options.record_retirement = message.record_retirement();
  return options;
}

v1::Image to_message(const sim::ProgramImage& image) {
  v1::Image message;
  message.set_address(image.insn_address.count());
  message.set_instructions(image.insn_count);
  return message;
}

sim::ProgramImage from_message(const v1::Image& image) {
  return {Bytes(image.address()), image.instructions()};
}

}  // namespace vantage::rpc
