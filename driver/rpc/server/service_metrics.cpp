#include "driver/rpc/server/service.h"

#include "driver/rpc/server/machine_memory.h"

namespace vantage::rpc {

std::string Service::metrics() const {
  std::string text;
  const auto add = [&](const char* name, const char* type, const char* help, const std::string& labels, auto value) {
    if (text.find(fmt::format("# TYPE {} ", name)) == std::string::npos) {
      text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
    }
    text += fmt::format("{}{} {}\n", name, labels, value);
  };
  for (const auto& device : parts_.devices) {
    const std::string labels = fmt::format("{{device=\"{}\"}}", device->offer.name);
    add("vantage_sessions", "gauge", "Sessions that are open.", labels, device->sessions.load());
  }
  for (const auto& device : parts_.devices) {
    const std::string labels = fmt::format("{{device=\"{}\"}}", device->offer.name);
    add("vantage_waiting_runs", "gauge", "Loads and runs that wait for a turn.", labels, device->queue.waiting());
  }
  for (const auto& device : parts_.devices) {
    for (const auto& [who, seconds] : device->queue.seconds()) {
      add("vantage_turn_seconds_total", "counter", "Time of loads and runs.",
          fmt::format("{{device=\"{}\",identity=\"{}\"}}", device->offer.name, who), seconds);
    }
  }
  add("vantage_sessions_opened_total", "counter", "Sessions since the server began.", "", sessions_opened_.load());
  add("vantage_calls_total", "counter", "Calls since the server began.", "", calls_.load());
  add("vantage_refusals_total", "counter", "Calls and connections that were refused.", "", parts_.refusals.total());
  add("vantage_connections", "gauge", "Connections that are open.", "", parts_.gate.connections());
  add("vantage_available_memory_bytes", "gauge", "Memory that the machine has left.", "", available_memory().count());
  return text;
}

}  // namespace vantage::rpc
