// The central types as messages, and back. What comes from the other side is checked: Error says what is wrong with it.
#pragma once

#include "driver/device/loaded_program.h"
#include "driver/rpc/protocol/vantage.pb.h"

namespace vantage::rpc {

// Throws QuotaError for more retire records than the largest message holds.
v1::LaunchReply to_message(const sim::RunResult& result);
sim::RunResult from_message(const v1::LaunchReply& reply);

// Without progress and stop, which do not travel.
v1::RunOptions to_message(const sim::RunOptions& options);
sim::RunOptions from_message(const v1::RunOptions& options);

v1::Image to_message(const sim::ProgramImage& image);
sim::ProgramImage from_message(const v1::Image& image);

}  // namespace vantage::rpc
