// Any bytes as a space of designs, and as a proof of a front: an Error, or points that are designs or have a reason.
#include "base/error.h"
#include "explore/certificate.h"
#include "explore/space.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto space = explore::Space::parse(text, "fuzz", VANTAGE_CONFIGS);
    VANTAGE_CHECK(space.size() > 0);
    for (uint64_t i = 0; i < std::min<uint64_t>(space.size(), 20); ++i) {
      const uint64_t number = i % 2 == 0 ? i : space.size() - i;
      const auto point = space.at(number);
      VANTAGE_CHECK(!(point.design && point.rejection));
      VANTAGE_CHECK(!point.design || space.number_of(space.places_of(number)) == number);
    }
  } catch (const Error&) {
  }
  try {
    const auto proof = explore::parse_certificate(text, "fuzz");
    for (const auto& measured : proof.result.measured) {
      VANTAGE_CHECK(measured.values.size() == proof.question.minimize.size());
    }
  } catch (const Error&) {
  }
  return 0;
}
