// A page of a server's metrics for Prometheus and for people: http://127.0.0.1:PORT/metrics.
//
// Answers one caller at a time, each within a second, whatever he asks for: so the page cannot take from the server
// what its clients need. (A library for HTTP would come as another shared library, which every command would load.)
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "driver/rpc/server/listener.h"

namespace vantage::rpc {

class MetricsPage {
 public:
  // `text` is called for every answer, from a thread of this object's. Throws Error for an address that other machines
  // reach, since nobody is asked who he is, or that cannot be had.
  MetricsPage(const std::string& listen, std::function<std::string()> text);
  MetricsPage(const MetricsPage&) = delete;
  MetricsPage& operator=(const MetricsPage&) = delete;
  ~MetricsPage();

  std::string url() const { return "http://" + listener_.reachable() + "/metrics"; }

 private:
  void run(const std::stop_token& stop);

  Listener listener_;
  const std::function<std::string()> text_;
  std::jthread thread_;
};

}  // namespace vantage::rpc
