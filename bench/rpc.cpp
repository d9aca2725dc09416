// A served functional simulator against the same one in this process: what a launch costs more, how fast bytes travel,
// whether anything is lost between many clients, and whether the server's memory stays what it was.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "base/error.h"
#include "bench/served.h"
#include "bench/targets.h"

namespace vantage::bench {
namespace {

double seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Microseconds that a launch takes longer over there, of the best of several rounds.
double launch_overhead(const std::string& uri) {
  Client here("fsim:"), there(uri);
  constexpr int kLaunches = 1000;
  double best_here = 1e9, best_there = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto launches = [](Client& client) {
      for (int i = 0; i < kLaunches; ++i) client.launch();
    };
    best_here = std::min(best_here, seconds([&] { launches(here); }));
    best_there = std::min(best_there, seconds([&] { launches(there); }));
  }
  there.set(std::byte{7});
  there.launch();
  if (!there.holds(std::byte{7})) throw InternalError("a served launch gave something else");
  fmt::print("a launch: {:.1f} us here, {:.1f} us served\n", best_here / kLaunches * 1e6, best_there / kLaunches * 1e6);
  return (best_there - best_here) / kLaunches * 1e6;
}

double upload_rate(const std::string& uri) {
  Client client(uri);
  std::vector<std::byte> bytes(size_t{256} << 20);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 2654435761U >> 13);
  auto buffer = client.device().allocate(Bytes(bytes.size()));
  double best = 1e9;
  for (int round = 0; round < 6; ++round) best = std::min(best, seconds([&] { buffer.write(bytes); }));
  std::vector<std::byte> back(bytes.size());
  const double down = seconds([&] { buffer.read(back); });
  if (back != bytes) throw InternalError("what was read is not what was written");
  fmt::print("256 MiB: up {:.2f} GB/s, down {:.2f} GB/s\n", static_cast<double>(bytes.size()) / best * 1e-9,
             static_cast<double>(bytes.size()) / down * 1e-9);
  return static_cast<double>(bytes.size()) / best * 1e-9;
}

// Of 32 clients with 1,000 launches each, the results that are their own.
double launches_of_many(const std::string& uri) {
  constexpr int kClients = 32, kLaunches = 1000;
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  const double took = seconds([&] {
    for (int c = 0; c < kClients; ++c) {
      threads.emplace_back([&, c] {
        Client client(uri);
        for (int i = 0; i < kLaunches; ++i) {
          const auto value = static_cast<std::byte>(c * 37 + i);
          client.set(value);
          client.launch();
          if (client.holds(value)) ++right;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  fmt::print("{} clients with {} launches each: {} right, in {:.1f} s\n", kClients, kLaunches, right.load(), took);
  return right;
}

// What 100,000 launches add to the server's memory, in MB.
double memory_growth(const ServerProcess& server) {
  constexpr int kLaunches = 100'000;
  const auto launches = [&](int count) {
    Client client(server.uri());
    for (int i = 0; i < count; ++i) client.launch();
  };
  // Once the process of the last session has ended.
  const auto memory = [&] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return server.memory_mb();
  };
  launches(kLaunches / 20);
  const double before = memory();
  // In several sessions, since those are what a server would forget to forget.
  for (int i = 0; i < 20; ++i) launches(kLaunches / 20);
  const double after = memory();
  fmt::print("the server's memory: {:.1f} MB, after {} launches more {:.1f} MB\n", before, kLaunches, after);
  return after - before;
}

// What one identity with one session has of the time that another with 63 has: 1 when both have the same.
double time_of_one_beside_many() {
  const std::string one = "0123456789abcdef", many = "fedcba9876543210";
  const TokenFile tokens("one " + one + "\nmany " + many + "\n");
  const ServerProcess server("--token-file " + tokens.path());
  constexpr int kMany = 63;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i <= kMany; ++i) {
    ::setenv("VANTAGE_TOKEN", (i == 0 ? one : many).c_str(), 1);
    clients.push_back(std::make_unique<Client>(server.uri(), true));
  }
  std::atomic<bool> stop = false;
  std::atomic<int> of_one = 0, of_many = 0;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < clients.size(); ++i) {
    threads.emplace_back([&, i] {
      for (; !stop; ++(i == 0 ? of_one : of_many)) clients[i]->launch();
    });
  }
  std::this_thread::sleep_for(std::chrono::seconds(10));
  const int runs_of_one = of_one, runs_of_many = of_many;  // without the last run of everyone who still waits
  stop = true;
  for (std::thread& thread : threads) thread.join();
  ::unsetenv("VANTAGE_TOKEN");
  fmt::print("in 10 s {} runs of an identity with one session, {} of one with {}\n", runs_of_one, runs_of_many, kMany);
  const double ratio = static_cast<double>(runs_of_one) / runs_of_many;
  return std::min(ratio, 1 / ratio);
}

}  // namespace
}  // namespace vantage::bench

int main() {
  using namespace vantage::bench;
  try {
    const ServerProcess server("--session-seconds 1e6");
    return report({{"RPC: a launch on loopback more than here", launch_overhead(server.uri()), 200, false, "us"},
                   {"RPC: upload", upload_rate(server.uri()), 1, true, "GB/s"},
                   {"RPC: launches of 32 clients that were right", launches_of_many(server.uri()), 32'000, true, ""},
                   {"RPC: server memory, growth over 100,000 launches", memory_growth(server), 4, false, "MB"},
                   {"RPC: time of an identity with 1 session beside one with 63", time_of_one_beside_many(), 0.9, true,
                    "of its"}});
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
