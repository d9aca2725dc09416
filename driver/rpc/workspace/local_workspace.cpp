#include "driver/rpc/workspace/local_workspace.h"

#include <algorithm>

#include "base/error.h"
#include "base/math.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/messages.h"
#include "hw/isa/codec.h"

namespace vantage::rpc {

namespace {

// Of a step that WorkspaceLimits::run_steps counts as one; larger tiles have fewer steps.
constexpr uint64_t kStepProducts = 256;

// `is_hardware`: the device has a clock of its own, whatever the configuration says.
isa::Config session_config(const v1::OpenRequest& request, bool is_hardware) {
  std::optional<isa::Config> offered;
  if (!request.offered_config_json().empty()) {
    offered = isa::Config::parse(request.offered_config_json(), "the offered configuration");
  }
  if (request.config_json().empty()) return offered.value_or(isa::Config::vta_default());
  const isa::Config wanted = isa::Config::parse(request.config_json(), "the session's configuration");
  if (!offered) return wanted;
  const std::string other =
      is_hardware ? isa::hardware_difference(*offered, wanted) : isa::difference(*offered, wanted);
  if (!other.empty()) {
    fail("the device '{}' has configuration {}, not {}: its {}; ask for that one, or for another device",
         request.device(), offered->name(), wanted.name(), other);
  }
  return wanted;
}

}  // namespace

v1::OpenReply LocalWorkspace::open(const v1::OpenRequest& request,
                                   const std::function<void(const std::string&)>& progress, const std::stop_token&) {
  VANTAGE_CHECK(device_ == nullptr);
  limits_ = request.limits();
  buffers_.set_limits(limits_);
  const bool is_hardware = std::any_of(kinds_.begin(), kinds_.end(), [&](const driver::AcceleratorKind& kind) {
    return kind.scheme == request.device() && kind.is_hardware;
  });
  const isa::Config config = session_config(request, is_hardware);
  driver::AcceleratorOptions options;
  options.dram = Bytes(limits_.memory_bytes());
  options.progress = progress;
  if (!request.memory_json().empty()) {
    options.memory = MemoryTiming::parse(request.memory_json(), "the session's memory", config.clock_mhz());
  }
  device_ = driver::open_as(kinds_, request.device() + ":", config, options);
  v1::OpenReply reply;
  reply.set_memory_bytes(device_->memory_size().count());
  reply.set_places_programs(!device_->runs_images());
  return reply;
}

v1::WorkspaceReply LocalWorkspace::call(const v1::WorkspaceRequest& request, const std::stop_token& stop) {
  using What = v1::WorkspaceRequest::WhatCase;
  v1::WorkspaceReply reply;
  switch (request.what_case()) {
    case What::kAllocate:
      *reply.mutable_allocate() = buffers_.allocate(*device_, Bytes(request.allocate().bytes()), placed());
      break;
    case What::kRelease:
      buffers_.release(Bytes(request.release().address()), [this](uint64_t address) { require_unused(address); });
      break;
    case What::kLoad: *reply.mutable_load() = load(request.load(), stop); break;
    case What::kUnload: unload(request.unload().program()); break;
    case What::kLaunch: *reply.mutable_launch() = launch(request.launch(), stop); break;
    case What::kTime: *reply.mutable_time() = time(request.time(), stop); break;
    case What::kReadMicroOps: *reply.mutable_read_micro_ops() = micro_ops(); break;
    case What::kReset: request.reset().scratchpads_only() ? device_->clear_scratchpads() : device_->reset(); break;
    case What::kLoadLibrary:
    case What::kBind: fail("the device '{}' runs programs of an accelerator, and no code", device_->uri());
    case What::kOpen:
    case What::kWrite:
    case What::kRead:
    case What::kFlash:
    case What::WHAT_NOT_SET: throw InternalError("a workspace was asked for what it does not do");
  }
  return reply;
}

Bytes LocalWorkspace::placed() const {
  Bytes sum;
  for (const auto& [id, loaded] : programs_) sum += loaded.placed;
  return sum;
}

void LocalWorkspace::require_unused(uint64_t address) const {
  for (const auto& [id, loaded] : programs_) {
    if (std::count(loaded.tensors.begin(), loaded.tensors.end(), address) != 0) {
      fail("the allocation at address {} is a tensor of program {}; unload that first", address, id);
    }
  }
}

void LocalWorkspace::write(Bytes address, std::span<const std::byte> bytes, const std::stop_token&) {
  device_->write(address, bytes);
}

void LocalWorkspace::read(Bytes address, std::span<std::byte> bytes, const std::stop_token&) {
  device_->read(address, bytes);
}

v1::LoadReply LocalWorkspace::load(const v1::LoadRequest& request, const std::stop_token& stop) {
  if (programs_.size() >= limits_.programs()) {
    throw QuotaError(fmt::format("the session has {} programs, which is as many as this server allows; unload some",
                                 programs_.size()));
  }
  if (static_cast<uint64_t>(request.tensors_size()) > limits_.tensors()) {
    throw QuotaError(fmt::format("{} tensors are more than the {} that this server allows a program",
                                 request.tensors_size(), limits_.tensors()));
  }
  const Program program = parse_program(request.program(), "the program", stop);
  driver::require_relocated(program, stop);
  std::map<std::string, const driver::Buffer*> bound;
  Loaded loaded;
  for (const v1::TensorBuffer& tensor : request.tensors()) {
    const driver::Buffer* const buffer = buffers_.find(tensor.address());
    if (buffer == nullptr) {
      fail("tensor {}: there is no allocation at address {}", tensor.name(), tensor.address());
    }
    bound[tensor.name()] = buffer;
    loaded.tensors.push_back(tensor.address());
  }
  loaded.program = device_->load(program, bound, stop);
  const std::vector<driver::Region> regions = loaded.program->regions();
  for (const driver::Region& region : regions) {
    if (buffers_.find(region.address.count()) == nullptr) loaded.placed += region.size;
  }
  const Bytes memory(limits_.memory_bytes());
  if (const Bytes held = buffers_.held() + placed(); held > memory || loaded.placed > memory - held) {
    throw QuotaError(
        fmt::format("the program's {} bytes on top of the session's {} are more than the {} that this server gives to "
                    "one; unload some",
                    loaded.placed.count(), held.count(), memory.count()));
  }
  v1::LoadReply reply;
  reply.set_program(next_program_++);
  *reply.mutable_image() = to_message(loaded.program->image());
  for (const driver::Region& region : regions) {
    v1::Region& message = *reply.add_regions();
    message.set_name(region.name);
    message.set_address(region.address.count());
    message.set_bytes(region.size.count());
    message.set_is_output(region.is_output);
  }
  programs_.emplace(reply.program(), std::move(loaded));
  return reply;
}

LocalWorkspace::Loaded& LocalWorkspace::loaded(uint64_t id) {
  const auto found = programs_.find(id);
  if (found == programs_.end()) fail("there is no program {}", id);
  return found->second;
}

void LocalWorkspace::unload(uint64_t id) {
  loaded(id);
  programs_.erase(id);
}

driver::RunOptions LocalWorkspace::limited(const v1::RunOptions& message, const std::stop_token& stop) const {
  driver::RunOptions options = from_message(message);
  const isa::Config& config = device_->config();
  const auto products = static_cast<uint64_t>(config.batch()) * static_cast<uint64_t>(config.block_in()) *
                        static_cast<uint64_t>(config.block_out());
  options.max_steps = std::min(options.max_steps, limits_.run_steps() / ceil_div(products, kStepProducts));
  options.stop = stop;
  return options;
}

v1::LaunchReply LocalWorkspace::launch(const v1::LaunchRequest& request, const std::stop_token& stop) {
  const driver::RunOptions options = limited(request.options(), stop);
  return to_message(request.has_image() ? device_->run(from_message(request.image()), options)
                                        : loaded(request.program()).program->run(options));
}

v1::TimeReply LocalWorkspace::time(const v1::TimeRequest& request, const std::stop_token& stop) {
  const auto within = [](uint32_t value) { return static_cast<int>(std::min<uint32_t>(value, 1'000'000)); };
  const driver::TimeOptions time{within(request.number()), within(request.repeat()), request.min_ms()};
  const driver::Timing timing = loaded(request.program()).program->time(time, limited(request.options(), stop));
  v1::TimeReply reply;
  reply.mutable_seconds()->Assign(timing.samples.begin(), timing.samples.end());
  reply.set_number(static_cast<uint32_t>(timing.number));
  return reply;
}

v1::ReadMicroOpsReply LocalWorkspace::micro_ops() const {
  const isa::Codec codec(device_->config());
  v1::ReadMicroOpsReply reply;
  for (const isa::MicroOp& uop : device_->micro_ops()) reply.add_words(codec.encode(uop));
  return reply;
}

}  // namespace vantage::rpc
