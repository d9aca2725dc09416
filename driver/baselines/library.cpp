#include "driver/baselines/library.h"

#include <array>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage::driver {

std::unique_ptr<Library> Library::open(std::string_view uri, int threads) {
  if (uri == "openblas:") return open_openblas(threads);
  if (uri == "onednn:") return open_onednn(threads);
  const std::array<std::string, 2> known = {"openblas:", "onednn:"};
  fail("target '{}' is no library{}", uri, did_you_mean(uri, known));
}

}  // namespace vantage::driver
