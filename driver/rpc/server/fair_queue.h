// Who runs next on a device that several clients want.
//
// Every client has a clock that its runs advance by the time they take, and so has the identity that it belongs to. Of
// those who wait, the one whose identity's clock is least goes first; of one identity, the client whose own is. A clock
// never falls behind the last turn given, so that one who comes late, or paused, has no credit (start-time fair
// queueing: Goyal, Vin, Cheng, SIGCOMM 1996).
//
// A client that launches, waits and launches again is not waiting at the moment when its turn ends. So that an identity
// with a single one has its share beside one with many, its turn is held for a moment when it is behind (anticipation:
// Iyer and Druschel, SOSP 2001). Where several run at once, the other could still run all the time while this one is
// on its way: it gets no turn while it is ahead by kLongestLead of one that runs, or whose turn is held.
//
// Thread safety: all members may be called from several threads at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace vantage::rpc {

class FairQueue {
 public:
  // Clocks are in seconds.
  class Identity {
    friend class FairQueue;
    double clock_ = 0;                            // of turns that have ended
    double client_clock_ = 0;                     // of its client that had the last turn
    double seconds_ = 0;                          // of all of its turns
    std::chrono::steady_clock::time_point left_;  // the last of them
  };
  class Client {
   public:
    // Used with the queue that the identity is of; the identity must outlive it.
    explicit Client(Identity& identity) : identity_(identity) {}

   private:
    friend class FairQueue;

    Identity& identity_;
    double clock_ = 0;
  };

  // Of this name, which is made when there is none.
  Identity& identity(const std::string& name);

  // The right to run, until it is destroyed.
  class Turn {
   public:
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    friend class FairQueue;
    Turn(FairQueue& queue, Client& client, std::chrono::steady_clock::time_point start)
        : queue_(&queue), client_(&client), start_(start) {}

    FairQueue* queue_;  // null once moved from
    Client* client_;
    std::chrono::steady_clock::time_point start_;
  };

  // So many turns at once.
  explicit FairQueue(size_t at_once) : free_(at_once) {}

  // Waits for a turn; none when `stop` was requested before it came.
  std::optional<Turn> enter(Client& client, const std::stop_token& stop);

  // To be called many times a second: gives the turns that were held in vain.
  void look();

  size_t waiting() const;
  // Of all turns so far, by the names of identities.
  std::map<std::string, double> seconds() const;

 private:
  struct Waiter {
    Client* client;
    std::condition_variable_any granted_event;
    bool granted = false;
    std::chrono::steady_clock::time_point start;  // once granted
  };

  struct Held {
    const Identity* identity;
    std::chrono::steady_clock::time_point until;
  };

  struct Running {
    const Identity* identity;
    std::chrono::steady_clock::time_point start;
  };

  // All of these REQUIRE the lock.
  void give_turns();
  // An identity's clock as it will be if all of its turns end now.
  double clock_of(const Identity& identity) const;
  bool is_too_far_ahead(const Identity& identity) const;
  // The one who goes first, of those that may; the end when none may.
  std::list<Waiter*>::iterator next();
  // Whether a turn that this identity ends had better be its own again.
  bool is_behind(const Identity& identity) const;
  void leave(Client& client, std::chrono::steady_clock::time_point start);

  mutable std::mutex mutex_;
  std::list<Waiter*> waiting_;  // in order of arrival
  size_t free_;                 // those that are held among them
  std::list<Held> held_;
  std::list<Running> running_;
  double clock_ = 0;  // the latest of identities that had a turn
  std::map<std::string, Identity> identities_;
};

}  // namespace vantage::rpc
