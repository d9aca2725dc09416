// Any bytes as the description of a published machine, or as what was published of one: an Error, or what can be built.
#include "base/error.h"
#include "hw/isa/config_name.h"
#include "sim/published/event_model.h"
#include "workload/published_times.h"

using namespace vantage;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto timing = sim::PublishedTiming::parse(text, "fuzz");
    sim::EventModel(isa::config_of_name(timing.config), timing).clear_cache();
  } catch (const Error&) {
  }
  try {
    const auto times = workload::PublishedTimes::parse(text, "fuzz");
    VANTAGE_CHECK(!times.layers.empty());
  } catch (const Error&) {
  }
  return 0;
}
