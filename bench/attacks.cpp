// What a server's clients notice while others, who have no token, send it what they can: the longest call of a session
// that was there, the longest time until a new one is open, and what the server's memory grows by.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "bench/served.h"
#include "bench/stopwatch.h"
#include "bench/targets.h"
#include "tests/driver/rpc/attacks.h"

namespace vantage::bench {
namespace {

struct Noticed {
  double call_ms = 0, open_ms = 0, memory_mb = 0;
  int calls = 0, opened = 0;

  void add(const Noticed& other) {
    call_ms = std::max(call_ms, other.call_ms);
    open_ms = std::max(open_ms, other.open_ms);
    memory_mb = std::max(memory_mb, other.memory_mb);
  }
};

// What is noticed while `attack` goes on, and for a second more.
Noticed during(const ServerProcess& server, const char* what, const std::function<void(int port)>& attack) {
  Noticed noticed;
  const double idle = server.memory_mb();
  std::atomic<bool> stop = false;
  Client present(server.uri());
  std::thread caller([&] {
    while (!stop) {
      const auto begin = Clock::now();
      present.launch();
      noticed.call_ms = std::max(noticed.call_ms, milliseconds_since(begin));
      ++noticed.calls;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  std::thread opener([&] {
    while (!stop) {
      const auto begin = Clock::now();
      const Client client(server.uri());
      noticed.open_ms = std::max(noticed.open_ms, milliseconds_since(begin));
      ++noticed.opened;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  std::thread weigher([&] {
    while (!stop) {
      noticed.memory_mb = std::max(noticed.memory_mb, server.memory_mb() - idle);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  const auto begin = Clock::now();
  attack(test::port_of(server.uri().substr(0, server.uri().rfind('/'))));
  const double took = milliseconds_since(begin);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  stop = true;
  caller.join();
  opener.join();
  weigher.join();
  fmt::print("{:<58} {:7.0f} ms; call <= {:5.1f} ms of {}, open <= {:6.1f} ms of {}, memory + {:5.1f} MB\n", what, took,
             noticed.call_ms, noticed.calls, noticed.open_ms, noticed.opened, noticed.memory_mb);
  return noticed;
}

Noticed attacks(const ServerProcess& server) {
  using namespace test;
  Noticed worst;
  during(server, "nothing", [](int) { std::this_thread::sleep_for(std::chrono::seconds(2)); });
  worst.add(during(server, "5,000 connections that say nothing, 900 at once",
                   [](int port) { open_and_drop(port, 5000, 900, ""); }));
  worst.add(during(server, "5,000 connections of HTTP/2, 900 at once",
                   [](int port) { open_and_drop(port, 5000, 900, http2_preface()); }));
  for (const char* path : {"/vantage.v1.Devices/Launch", "/vantage.v1.Devices/Write", "/grpc.health.v1.Health/Watch",
                           "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}) {
    const std::string name = path + 1;
    worst.add(
        during(server, fmt::format("64 x 64 streams of {}", name.substr(name.find('/') + 1)).c_str(), [&](int port) {
          const auto held = hold_streams(port, 64, 64, path);
          std::this_thread::sleep_for(std::chrono::seconds(2));
        }));
    // As many as it takes: who is closed comes again.
    worst.add(
        during(server, fmt::format("200,000 resets of {}", name.substr(name.find('/') + 1)).c_str(), [&](int port) {
          for (size_t sent = 0; sent < 200'000;) {
            sent += std::max<size_t>(1, rapid_reset(port, 200'000 - sent, path));
          }
        }));
  }
  return worst;
}

}  // namespace
}  // namespace vantage::bench

int main() {
  using namespace vantage::bench;
  try {
    const std::string token = "0123456789abcdef0123456789abcdef";
    const TokenFile file(token + "\n");
    ::setenv("VANTAGE_TOKEN", token.c_str(), 1);
    fmt::print("with a token that the attacker does not have\n");
    Noticed worst = attacks(ServerProcess("--token-file " + file.path(), 1024));
    fmt::print("without a token\n");
    worst.add(attacks(ServerProcess("", 1024)));
    return report({{"RPC under attack: a call of a session that is there", worst.call_ms, 50, false, "ms"},
                   {"RPC under attack: until a new session is open", worst.open_ms, 1000, false, "ms"},
                   {"RPC under attack: memory above idle", worst.memory_mb, 256, false, "MB"}});
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
