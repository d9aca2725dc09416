#include "driver/cuda/gpu_call.h"

#include <fmt/ranges.h>

#include "base/error.h"

namespace vantage::driver {

namespace {

uint64_t value_of(const native::GpuArgument& argument, const std::vector<uint64_t>& tensors,
                  const std::vector<uint64_t>& temporaries) {
  switch (argument.kind) {
    case native::GpuArgument::Kind::kParameter: return tensors.at(argument.value);
    case native::GpuArgument::Kind::kTemporary: return temporaries.at(argument.value);
    case native::GpuArgument::Kind::kScalar:
    case native::GpuArgument::Kind::kTensorMap: break;
  }
  return argument.value;
}

}  // namespace

GpuCall::GpuCall(std::shared_ptr<const DriverApi> api, std::string name, const GpuInfo& info,
                 const native::GpuProgram& program, const std::vector<uint64_t>& tensors,
                 const std::vector<uint64_t>& temporaries)
    : api_(std::move(api)),
      name_(std::move(name)),
      module_(api_, name_, info, program),
      kernels_(program.kernels),
      graph_(api_) {
  for (const native::GpuTensorMap& map : program.tensor_maps) {
    maps_.push_back(encode(*api_, name_, map, value_of(map.tensor, tensors, temporaries)));
  }
  size_t count = 0;
  for (const native::GpuLaunch& launch : program.launches) count += launch.arguments.size();
  values_.reserve(count);  // so that they stay where they are
  launches_.reserve(program.launches.size());
  for (const native::GpuLaunch& launch : program.launches) {
    VANTAGE_CHECK(launch.kernel < kernels_.size());
    Launch& own = launches_.emplace_back(Launch{launch.kernel, launch.grid, launch.block, {}});
    for (const native::GpuArgument& argument : launch.arguments) {
      if (argument.kind == native::GpuArgument::Kind::kTensorMap) {
        own.parameters.push_back(&maps_.at(argument.value));
        continue;
      }
      values_.push_back(value_of(argument, tensors, temporaries));
      own.parameters.push_back(&values_.back());
    }
  }
}

std::string GpuCall::kernels() const {
  if (kernels_.size() == 1) return "the kernel " + kernels_.front().name;
  std::vector<std::string> names;
  for (const native::GpuKernel& kernel : kernels_) names.push_back(kernel.name);
  constexpr size_t kMostNames = 8;
  const bool all = names.size() <= kMostNames;
  if (!all) names.resize(kMostNames);
  return fmt::format("one of the kernels {}{}", fmt::join(names, ", "), all ? "" : ", ...");
}

void GpuCall::prepare(DriverApi::Stream stream) {
  if (has_run_ && launches_.size() > 1) graph_.capture(stream, [&] { launch(stream); });
}

void GpuCall::enqueue(DriverApi::Stream stream) {
  if (!graph_.is_there()) {
    launch(stream);
    has_run_ = true;
    return;
  }
  api_->require(graph_.launch(stream), name_, "launching " + kernels());
}

void GpuCall::launch(DriverApi::Stream stream) {
  for (Launch& launch : launches_) {
    const native::GpuKernel& kernel = kernels_[launch.kernel];
    const auto& [gx, gy, gz] = launch.grid;
    const auto& [bx, by, bz] = launch.block;
    const auto given = static_cast<unsigned>(kernel.is_given ? kernel.shared_bytes : 0);
    const int code = api_->launch_kernel(module_.functions()[launch.kernel], gx, gy, gz, bx, by, bz, given, stream,
                                         launch.parameters.data(), nullptr);
    if (code == kCudaSuccess) continue;
    api_->require(
        code, name_,
        fmt::format("the kernel {} with a grid of {} x {} x {} blocks of {} x {} x {} threads and {} bytes of "
                    "shared memory",
                    kernel.name, gx, gy, gz, bx, by, bz, kernel.shared_bytes));
  }
}

}  // namespace vantage::driver
