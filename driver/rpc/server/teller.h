// Lines for a client who may be slow to take them: the one who has them does not wait.
//
// Thread safety: add() may be called from several threads at once.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace vantage::rpc {

class Teller {
 public:
  // `tell` passes one line on, in a thread of this object's; false, or an exception: nobody takes any more.
  explicit Teller(std::function<bool(const std::string&)> tell);
  // Passes on what was added before.
  ~Teller();
  Teller(const Teller&) = delete;
  Teller& operator=(const Teller&) = delete;

  void add(std::string line);

 private:
  void run();

  const std::function<bool(const std::string&)> tell_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace vantage::rpc
