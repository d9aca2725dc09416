// Programs for a GPU as JSON, beside the files of their code (docs/model-format.md).
//
// Thread safety: functions without state.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "native/gpu_program.h"

namespace vantage::native {

// All but the architecture, the toolkit, the machine code and the PTX.
Json to_json(const GpuProgram& program);

// The inverse. Throws Error, beginning with `source`, for what is no such object, and where check_gpu_program() does.
GpuProgram gpu_program_from_json(const Json& json, const std::string& source);

// Throws Error, beginning with `source`, for a program that cannot be run, whatever its code: with parameters that are
// no tensors or have sizes that are no numbers, with numbers of what it does not have, and with blocks or grids that no
// GPU takes.
void check_gpu_program(const GpuProgram& program, const std::string& source);

}  // namespace vantage::native
