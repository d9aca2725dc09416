// Streams, events and graphs of the driver that stands in for NVIDIA's (stand_in_libcuda.cpp): nothing runs before it
// is waited for, and then streams take turns in any order that their events allow, another one every time.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace vantage::test::stand_in {

// One record of an event: whether it has come, and where it is done in what was captured.
struct Moment {
  bool has_come = false;
  size_t stream = 0, place = 0;
};

// What a stream does: work, whose result is the driver's code, between what it waits for and what it brings.
struct Operation {
  std::function<int()> work;
  std::shared_ptr<Moment> waits_for = {}, brings = {};
};

// What streams did while they were captured, each by itself; the first is the one whose capture it is.
struct Graph {
  std::vector<std::deque<Operation>> streams;

  // Whether the first one ends behind all that the others do.
  bool is_joined() const;
  int run() const;
};

struct Stream {
  const void* context = nullptr;
  std::deque<Operation> waiting;
  std::shared_ptr<Graph> captured = {};
  size_t place = 0;  // in what is captured
};

struct Event {
  std::chrono::steady_clock::time_point time;
  Stream* stream = nullptr;             // that it was recorded on at last
  std::shared_ptr<Moment> moment = {};  // of that
  std::weak_ptr<Graph> captured = {};   // which that was in
  bool was_captured = false;
};

Stream* create_stream(const void* context);
void destroy_stream(Stream* stream);
size_t stream_count();

void add(Stream& stream, Operation operation);
// All that the stream was given; streams of the same context run meanwhile. The first code that is not 0 ends all.
int finish(Stream& stream);

void record(Event& event, Stream& stream);
// A stream that waits for one that is captured is so as well. False: the two are not of one capture.
bool wait(Stream& stream, const Event& event);

void begin_capture(Stream& stream);
// Null: some stream that came in was not waited for.
std::unique_ptr<Graph> end_capture(Stream& stream);

}  // namespace vantage::test::stand_in
