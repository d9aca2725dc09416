// A report as one file for a browser.
//
// Thread safety: functions without state.
#pragma once

#include <cstddef>
#include <string>

#include "base/json_fwd.h"

namespace vantage::report {

// No page about a run is larger.
inline constexpr size_t kMostPageBytes = 5'000'000;

// What a page about a run has besides its document: style, scripts, the library that draws.
size_t page_bytes_without_document();

// The page: all that it needs is in it, and it may load nothing else. `document`: report.h or sweep.h makes it.
std::string page(const Json& document);

}  // namespace vantage::report
