// Every device there is, opened by URI.
#pragma once

#include <string_view>

#include "driver/device/kind.h"

namespace vantage::driver {

// See open_as.
std::unique_ptr<Accelerator> open_accelerator(const std::string& uri, const isa::Config& config,
                                              const AcceleratorOptions& options = {});

const std::vector<AcceleratorKind>& accelerator_kinds();
// The kind of this URI's scheme; null when no accelerator has it.
const AcceleratorKind* accelerator_kind_of(std::string_view uri);

// For help and messages: how the URIs of a kind look, and one line each; processors too.
std::vector<DeviceKind> device_kinds();

// Processors that this tool can compare with an accelerator.
std::vector<DeviceKind> compared_processors();

}  // namespace vantage::driver
