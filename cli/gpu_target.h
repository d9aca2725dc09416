// GPUs among the targets of a comparison: by the compiler ("cuda:"), and by NVIDIA's libraries ("cublas:", "cudnn:1").
//
// Thread safety: as workload/measure.h.
#pragma once

#include <string>

#include "driver/device/time_evaluator.h"
#include "workload/measure.h"

namespace vantage::cli {

bool is_gpu(const std::string& uri);
// Throws Error where nothing could run there, with what would help.
void require_gpu(const std::string& uri);
// Opens it, held by a process of its own.
workload::Measurement measure_on_gpu_target(const workload::Comparison& comparison, const std::string& uri,
                                            const driver::TimeOptions& time);

}  // namespace vantage::cli
