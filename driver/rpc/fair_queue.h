// Who runs next on a device that several clients want.
//
// Every client has a clock that its runs advance by the time they take; of those who wait, the one whose clock is least
// goes first. A clock never falls behind the last turn given, so that one who comes late, or paused, has no credit
// (start-time fair queueing: Goyal, Vin, Cheng, SIGCOMM 1996).
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>

namespace vantage::rpc {

class FairQueue {
 public:
  // A client's clock, in seconds. Used with one queue.
  class Client {
    friend class FairQueue;
    double clock_ = 0;
  };

  // The right to run, until it is destroyed.
  class Turn {
   public:
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    friend class FairQueue;
    Turn(FairQueue& queue, Client& client);

    FairQueue* queue_;  // null once moved from
    Client* client_;
    std::chrono::steady_clock::time_point start_;
  };

  // So many turns at once.
  explicit FairQueue(size_t at_once) : free_(at_once) {}

  // Waits for a turn; none when `stop` was requested before it came.
  std::optional<Turn> enter(Client& client, const std::stop_token& stop);

  size_t waiting() const;

 private:
  struct Waiter {
    Client* client;
    std::condition_variable_any granted_event;
    bool granted = false;
  };

  void give_turns();
  void leave(Client& client, double seconds);

  mutable std::mutex mutex_;
  std::list<Waiter*> waiting_;  // in order of arrival
  size_t free_;
  double clock_ = 0;  // of the last turn given
};

}  // namespace vantage::rpc
