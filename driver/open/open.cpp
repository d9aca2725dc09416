#include "driver/open/open.h"

#include "base/error.h"
#include "driver/processor/processor.h"

namespace vantage::driver {

const AcceleratorKind* accelerator_kind_of(std::string_view uri) {
  for (const AcceleratorKind& kind : accelerator_kinds()) {
    if (uri.starts_with(kind.scheme + ":")) return &kind;
  }
  return nullptr;
}

std::vector<DeviceKind> device_kinds() {
  std::vector<DeviceKind> kinds;
  for (const AcceleratorKind& kind : accelerator_kinds()) {
    kinds.push_back({kind.scheme + ":" + kind.rest, kind.meaning});
  }
  for (DeviceKind& processor : compared_processors()) kinds.push_back(std::move(processor));
  for (DeviceKind& gpu : gpu_kinds()) kinds.push_back(std::move(gpu));
  return kinds;
}

std::unique_ptr<Accelerator> open_accelerator(const std::string& uri, const isa::Config& config,
                                              const AcceleratorOptions& options) {
  for (const DeviceKind& kind : processor_kinds()) {
    if (kind.uri == uri) {
      fail("target '{}' is a processor, which runs no programs of an accelerator; `vantage compare` measures both",
           uri);
    }
  }
  if (uri.starts_with("cuda:")) {
    fail("target '{}' is a GPU, which runs no programs of an accelerator; `vantage compare` measures both", uri);
  }
  if (uri.starts_with("cublas:") || uri.starts_with("cudnn:")) {
    fail("target '{}' is a library for GPUs, which `vantage compare` measures; networks run on cuda:", uri);
  }
  for (const DeviceKind& kind : device_kinds()) {
    if (kind.uri == uri + ":") fail("target '{}' is no device URI; did you mean '{}'?", uri, kind.uri);
  }
  return open_as(accelerator_kinds(), uri, config, options);
}

}  // namespace vantage::driver
