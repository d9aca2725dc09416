#include "driver/rpc/workspace/code_workspace.h"

#include <algorithm>

#include "base/error.h"
#include "base/tensor/dtype.h"
#include "base/tensor/tensor.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/messages.h"
#include "driver/rpc/workspace/confine.h"

namespace vantage::rpc {

namespace {

constexpr size_t kMostLibraries = 16;
constexpr int kMostAxes = 16;

}  // namespace

v1::OpenReply CodeWorkspace::open(const v1::OpenRequest& request, const std::function<void(const std::string&)>&,
                                  const std::stop_token&) {
  VANTAGE_CHECK(processor_ == nullptr);
  if (!request.config_json().empty() || !request.memory_json().empty()) {
    fail(
        "the device 'cpu' is a processor, which runs no programs of an accelerator; it takes a network's other steps, "
        "with --processor");
  }
  limits_ = request.limits();
  buffers_.set_limits(limits_);
  // Its threads are made when they are first needed, and are then what this process is.
  if (confined_) confine_this_process();
  processor_ = driver::Processor::open("cpu:");
  v1::OpenReply reply;
  reply.set_memory_bytes(limits_.memory_bytes());
  reply.set_processor(std::string(native::this_architecture()));
  return reply;
}

v1::WorkspaceReply CodeWorkspace::call(const v1::WorkspaceRequest& request, const std::stop_token& stop) {
  using What = v1::WorkspaceRequest::WhatCase;
  v1::WorkspaceReply reply;
  switch (request.what_case()) {
    case What::kAllocate:
      *reply.mutable_allocate() = buffers_.allocate(*processor_, Bytes(request.allocate().bytes()));
      break;
    case What::kRelease:
      buffers_.release(Bytes(request.release().address()), [this](uint64_t address) { require_unused(address); });
      break;
    case What::kLoadLibrary: *reply.mutable_load_library() = load_library(request.load_library()); break;
    case What::kBind: *reply.mutable_load() = bind(request.bind()); break;
    case What::kUnload:
      loaded(request.unload().program());
      bound_.erase(request.unload().program());
      break;
    case What::kLaunch: {
      driver::RunOptions options = from_message(request.launch().options());
      options.stop = stop;
      *reply.mutable_launch() = to_message(loaded(request.launch().program()).run(options));
      break;
    }
    case What::kTime: {
      const v1::TimeRequest& time = request.time();
      const auto within = [](uint32_t value) { return static_cast<int>(std::min<uint32_t>(value, 1'000'000)); };
      driver::RunOptions options = from_message(time.options());
      options.stop = stop;
      const driver::Timing timing =
          loaded(time.program()).time({within(time.number()), within(time.repeat()), time.min_ms()}, options);
      reply.mutable_time()->mutable_seconds()->Assign(timing.samples.begin(), timing.samples.end());
      reply.mutable_time()->set_number(static_cast<uint32_t>(timing.number));
      break;
    }
    case What::kLoad:
    case What::kReadMicroOps:
    case What::kReset: fail("the device 'cpu' is a processor, which runs no programs of an accelerator");
    case What::kOpen:
    case What::kWrite:
    case What::kRead:
    case What::kFlash:
    case What::WHAT_NOT_SET: throw InternalError("a workspace was asked for what it does not do");
  }
  return reply;
}

void CodeWorkspace::require_unused(uint64_t address) const {
  for (const auto& [id, bound] : bound_) {
    if (std::ranges::count(bound->buffers, address) != 0) {
      fail("the allocation at address {} is an argument of function {}; unload that first", address, id);
    }
  }
}

void CodeWorkspace::write(Bytes address, std::span<const std::byte> bytes, const std::stop_token&) {
  processor_->write(address, bytes);
}

void CodeWorkspace::read(Bytes address, std::span<std::byte> bytes, const std::stop_token&) {
  processor_->read(address, bytes);
}

v1::LoadLibraryReply CodeWorkspace::load_library(const v1::LoadLibraryRequest& request) {
  if (libraries_.size() >= kMostLibraries) {
    throw QuotaError(
        fmt::format("the session has {} libraries, which is as many as a session may have", libraries_.size()));
  }
  VANTAGE_CHECK(processor_ != nullptr);  // and so confined
  libraries_.push_back(native::load_library({request.manifest(), request.code()}, "the library"));
  v1::LoadLibraryReply reply;
  reply.set_library(libraries_.size() - 1);
  return reply;
}

v1::LoadReply CodeWorkspace::bind(const v1::BindRequest& request) {
  if (bound_.size() >= limits_.programs()) {
    throw QuotaError(fmt::format("the session has {} functions, which is as many as this server allows; unload some",
                                 bound_.size()));
  }
  if (static_cast<uint64_t>(request.tensors_size()) > limits_.tensors()) {
    throw QuotaError(fmt::format("{} tensors are more than the {} that this server allows a function",
                                 request.tensors_size(), limits_.tensors()));
  }
  if (request.library() >= libraries_.size()) fail("there is no library {}", request.library());
  const native::Function& function = libraries_[request.library()].find(request.function());
  auto bound = std::make_unique<Bound>();
  for (const v1::TensorArgument& tensor : request.tensors()) {
    const driver::Buffer* const buffer = buffers_.find(tensor.address());
    if (buffer == nullptr) {
      fail("{}: there is no allocation at address {}", request.function(), tensor.address());
    }
    if (tensor.shape_size() > kMostAxes) fail("{}: a tensor has {} axes", request.function(), tensor.shape_size());
    const DType dtype = DType::parse(tensor.dtype());
    bound->shapes.emplace_back(tensor.shape().begin(), tensor.shape().end());
    if (dense_bytes(dtype, bound->shapes.back()) > buffer->size().count()) {
      fail("{}: a tensor is larger than its allocation at address {}", request.function(), tensor.address());
    }
    DLTensor described{};
    described.data = reinterpret_cast<void*>(tensor.address());  // NOLINT: an allocation of this process
    described.device = {kDLCPU, 0};
    described.ndim = tensor.shape_size();
    described.dtype = dl_dtype(dtype);
    bound->tensors.push_back(described);
    bound->buffers.push_back(tensor.address());
  }
  std::vector<const DLTensor*> arguments;
  for (size_t i = 0; i < bound->tensors.size(); ++i) {
    bound->tensors[i].shape = bound->shapes[i].data();
    arguments.push_back(&bound->tensors[i]);
  }
  bound->loaded = processor_->load(function, arguments);
  v1::LoadReply reply;
  reply.set_program(next_++);
  bound_.emplace(reply.program(), std::move(bound));
  return reply;
}

driver::Loaded& CodeWorkspace::loaded(uint64_t id) {
  const auto found = bound_.find(id);
  if (found == bound_.end()) fail("there is no function {}", id);
  return *found->second->loaded;
}

}  // namespace vantage::rpc
