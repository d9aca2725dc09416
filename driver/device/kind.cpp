#include "driver/device/kind.h"

#include "base/error.h"
#include "base/suggest.h"

namespace vantage::driver {

namespace {

// Tools tell what a file holds by how its name ends.
void require_ending(const std::filesystem::path& path, std::string_view what, const std::string& ending) {
  if (path.extension() == ending) return;
  fail("{} is a {} file, so its name must end with {}; {} does not: call it {}", what, ending, ending, path.string(),
       std::filesystem::path(path).replace_extension(ending).string());
}

void require_meaning(const AcceleratorKind& kind, const std::string& uri, const AcceleratorOptions& options) {
  if (options.memory && !kind.has_memory) fail("target '{}' takes no memory setting; leave it out", uri);
  if (options.dram && !kind.has_dram) fail("target '{}' has the memory that it has; no size can be given", uri);
  if (!options.trace.empty() && kind.traces.empty()) {
    fail("target '{}' records no trace, so {} would never be written", uri, options.trace.string());
  }
  if (!options.trace.empty()) {
    require_ending(options.trace, fmt::format("the trace of '{}', {},", uri, kind.traces), kind.trace_ending);
  }
  if (options.vcd.empty()) return;
  if (!kind.has_vcd) {
    fail("target '{}' writes no VCD, so {} would never be written; systemc: does", uri, options.vcd.string());
  }
  require_ending(options.vcd, "what --vcd records", ".vcd");
}

}  // namespace

std::unique_ptr<Accelerator> open_as(const std::vector<AcceleratorKind>& kinds, const std::string& uri,
                                     const isa::Config& config, const AcceleratorOptions& options) {
  const size_t colon = uri.find(':');
  for (const AcceleratorKind& kind : kinds) {
    if (colon == std::string::npos || kind.scheme != uri.substr(0, colon)) continue;
    if (kind.rest.empty() && colon + 1 != uri.size()) fail("target '{}': nothing may follow '{}:'", uri, kind.scheme);
    require_meaning(kind, uri, options);
    return kind.open(uri, config, options);
  }
  // What follows a scheme is its user's own.
  std::vector<std::string> known, schemes;
  for (const AcceleratorKind& kind : kinds) {
    known.push_back(kind.scheme + ":" + kind.rest);
    schemes.push_back(kind.scheme + (kind.rest.starts_with("//") ? "://" : ":"));
  }
  const std::string scheme = uri.substr(0, colon);
  fail("target '{}' is no device URI{}", uri,
       did_you_mean(scheme, near_names(scheme, schemes).empty() ? known : schemes));
}

}  // namespace vantage::driver
