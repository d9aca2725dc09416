#include "driver/rpc/server/fair_queue.h"

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>

#include "tests/catch.h"
#include "tests/driver/rpc/test_server.h"

namespace vantage::test::driver_rpc_fair_queue_test {

using namespace vantage;
using namespace vantage::test;
using rpc::FairQueue;

TEST_CASE("who has run least goes first", "[unit]") {
  FairQueue queue(1);
  FairQueue::Identity who;
  FairQueue::Client busy(who), idle(who);
  {
    const auto turn = queue.enter(busy, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::string order;
  std::thread first, second;
  {
    const auto turn = queue.enter(busy, {});
    first = std::thread([&] {
      const auto mine = queue.enter(busy, {});
      order += "busy ";
    });
    REQUIRE(eventually([&] { return queue.waiting() == 1; }));
    second = std::thread([&] {
      const auto mine = queue.enter(idle, {});
      order += "idle ";
    });
    REQUIRE(eventually([&] { return queue.waiting() == 2; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  first.join();
  second.join();
  CHECK(order == "idle busy ");
}

TEST_CASE("one who comes late has no credit for the time before", "[unit]") {
  FairQueue queue(1);
  FairQueue::Identity who;
  FairQueue::Client early(who), late(who);
  for (int i = 0; i < 3; ++i) {
    const auto turn = queue.enter(early, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // Both want to run all the time from now on: their turns alternate, but for the length of the last.
  std::atomic<bool> stop = false;
  std::atomic<int> runs_early = 0, runs_late = 0;
  const auto run = [&](FairQueue::Client& client, std::atomic<int>& runs) {
    while (!stop) {
      const auto turn = queue.enter(client, {});
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++runs;
    }
  };
  std::thread a([&] { run(early, runs_early); });
  std::thread b([&] { run(late, runs_late); });
  REQUIRE(eventually([&] { return runs_early + runs_late >= 100; }));
  stop = true;
  a.join();
  b.join();
  CHECK(runs_early >= 25);
  CHECK(runs_late >= 25);
}

TEST_CASE("identities have equal time, however many clients each has", "[unit]") {
  FairQueue queue(1);
  FairQueue::Identity one, many;
  std::stop_source stop;  // in the end nobody looks, and a turn may be held in vain
  std::atomic<int> of_one = 0, of_many = 0;
  const auto run = [&](FairQueue::Identity& identity, std::atomic<int>& runs) {
    FairQueue::Client client(identity);
    while (!stop.stop_requested()) {
      const auto turn = queue.enter(client, stop.get_token());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++runs;
    }
  };
  std::vector<std::thread> clients;
  clients.emplace_back([&] { run(one, of_one); });
  for (int i = 0; i < 15; ++i) clients.emplace_back([&] { run(many, of_many); });
  REQUIRE(eventually([&] {
    queue.look();
    return of_one + of_many >= 100;
  }));
  stop.request_stop();
  for (std::thread& client : clients) client.join();
  CHECK(of_one >= 25);
  CHECK(of_many >= 25);
}

TEST_CASE("who is on his way between turns has as much time as those who always wait, where several run at once",
          "[unit]") {
  FairQueue queue(2);
  FairQueue::Identity one, many;
  std::stop_source stop;  // in the end nobody looks, and a turn may be held in vain
  std::atomic<int> of_one = 0, of_many = 0;
  const auto run = [&](FairQueue::Identity& identity, std::chrono::milliseconds away, std::atomic<int>& runs) {
    FairQueue::Client client(identity);
    while (!stop.stop_requested()) {
      auto turn = queue.enter(client, stop.get_token());
      std::this_thread::sleep_for(std::chrono::milliseconds(16));
      ++runs;
      turn.reset();
      std::this_thread::sleep_for(away);
    }
  };
  std::vector<std::thread> clients;
  clients.emplace_back([&] { run(one, std::chrono::milliseconds(10), of_one); });
  for (int i = 0; i < 7; ++i) clients.emplace_back([&] { run(many, std::chrono::milliseconds(0), of_many); });
  REQUIRE(eventually([&] {
    queue.look();
    return of_one + of_many >= 120;
  }));
  stop.request_stop();
  for (std::thread& client : clients) client.join();
  CHECK(of_one >= 50);  // 46 if the others ran all the time at the second place, fewer at both
  CHECK(of_many >= 50);
}

TEST_CASE("a turn is held for who is behind, and given to others when he does not come", "[unit]") {
  FairQueue queue(1);
  FairQueue::Identity one, many;
  FairQueue::Client only(one), another(many);
  {
    const auto turn = queue.enter(another, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  std::optional<FairQueue::Turn> turn(queue.enter(only, {}));
  std::atomic<bool> came = false;
  const std::jthread waiting([&] {
    const auto next = queue.enter(another, {});
    came = true;
  });
  REQUIRE(eventually([&] { return queue.waiting() == 1; }));
  turn.reset();
  // Nobody looks: it is held for as long as he likes
  CHECK_FALSE(came);
  {
    const auto again = queue.enter(only, {});
    CHECK_FALSE(came);
  }
  CHECK(eventually([&] {
    queue.look();
    return came.load();
  }));
}

TEST_CASE("so many have a turn at once, and one that is stopped leaves the queue", "[unit]") {
  FairQueue queue(2);
  FairQueue::Identity who;
  FairQueue::Client a(who), b(who), c(who);
  auto first = queue.enter(a, {});
  const auto second = queue.enter(b, {});
  std::stop_source stop;
  std::atomic<int> got = -1;
  std::thread third([&] { got = queue.enter(c, stop.get_token()).has_value() ? 1 : 0; });
  REQUIRE(eventually([&] { return queue.waiting() == 1; }));
  stop.request_stop();
  third.join();
  CHECK(got == 0);
  CHECK(queue.waiting() == 0);
  first.reset();
  CHECK(queue.enter(c, {}).has_value());
}

}  // namespace vantage::test::driver_rpc_fair_queue_test
