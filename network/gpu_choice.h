// Which of several kinds of machine code a GPU can run.
//
// Thread safety: functions without state.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vantage {

// What "sm_90a" says.
struct GpuName {
  int capability = 0;       // 90 for 9.0
  bool has_letter = false;  // code with it runs on no other capability, not even by way of PTX
};
// Nothing for a text of another form.
std::optional<GpuName> parse_gpu_name(std::string_view name);

// The number of the one that a GPU of this architecture runs best: one of its own capability, with a letter rather than
// without; else the newest of its generation that is older; else the newest that is older, from whose PTX the driver
// makes machine code. Nothing where none will do.
std::optional<size_t> choose_gpu_code(const std::vector<std::string>& names, std::string_view architecture);

}  // namespace vantage
