#include "tests/driver/cuda/stand_in_streams.h"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace vantage::test::stand_in {

namespace {

using Queues = std::vector<std::deque<Operation>*>;

std::vector<std::unique_ptr<Stream>>& streams() {
  static std::vector<std::unique_ptr<Stream>> all;
  return all;
}

// The next operation of one of those that do not wait. False: there is none.
bool take_turn(const Queues& queues, int& code) {
  static std::minstd_rand random;
  Queues ready;
  std::ranges::copy_if(queues, std::back_inserter(ready), [](const std::deque<Operation>* queue) {
    return !queue->empty() && (queue->front().waits_for == nullptr || queue->front().waits_for->has_come);
  });
  if (ready.empty()) return false;
  std::deque<Operation>& queue = *ready[random() % ready.size()];
  const Operation operation = std::move(queue.front());
  queue.pop_front();
  code = operation.work ? operation.work() : 0;
  if (operation.brings != nullptr) operation.brings->has_come = true;
  return true;
}

}  // namespace

bool Graph::is_joined() const {
  std::vector<size_t> reached(streams.size());  // operations of each that are over at the end
  std::vector<size_t> open = {0};
  reached[0] = streams[0].size();
  while (!open.empty()) {
    const size_t stream = open.back();
    open.pop_back();
    for (size_t i = 0; i < reached[stream]; ++i) {
      const Moment* moment = streams[stream][i].waits_for.get();
      if (moment == nullptr || reached[moment->stream] > moment->place) continue;
      reached[moment->stream] = moment->place + 1;
      open.push_back(moment->stream);
    }
  }
  for (size_t stream = 0; stream < streams.size(); ++stream) {
    if (reached[stream] < streams[stream].size()) return false;
  }
  return true;
}

int Graph::run() const {
  std::vector<std::deque<Operation>> left = streams;
  Queues queues;
  for (std::deque<Operation>& queue : left) {
    queues.push_back(&queue);
    for (const Operation& operation : queue) {
      if (operation.brings != nullptr) operation.brings->has_come = false;
    }
  }
  int code = 0;
  while (code == 0 && take_turn(queues, code)) {
  }
  return code;
}

Stream* create_stream(const void* context) {
  streams().push_back(std::make_unique<Stream>(Stream{context, {}}));
  return streams().back().get();
}

void destroy_stream(Stream* stream) {
  std::erase_if(streams(), [&](const auto& own) { return own.get() == stream; });
}

size_t stream_count() {
  return streams().size();
}

void add(Stream& stream, Operation operation) {
  (stream.captured != nullptr ? stream.captured->streams[stream.place] : stream.waiting)
      .push_back(std::move(operation));
}

int finish(Stream& stream) {
  Queues queues;
  for (const auto& other : streams()) {
    if (other->context == stream.context) queues.push_back(&other->waiting);
  }
  int code = 0;
  while (!stream.waiting.empty() && code == 0) {
    if (!take_turn(queues, code)) std::abort();  // it waits for what nobody does
  }
  if (code != 0) {
    for (std::deque<Operation>* queue : queues) queue->clear();
  }
  return code;
}

void record(Event& event, Stream& stream) {
  event.stream = &stream;
  event.captured = stream.captured;
  event.was_captured = stream.captured != nullptr;
  event.moment = std::make_shared<Moment>();
  if (event.was_captured) {
    event.moment->stream = stream.place;
    event.moment->place = stream.captured->streams[stream.place].size();
    add(stream, {{}, {}, event.moment});
    return;
  }
  const auto note = [&event] {
    event.time = std::chrono::steady_clock::now();
    return 0;
  };
  add(stream, {note, {}, event.moment});
}

bool wait(Stream& stream, const Event& event) {
  if (event.moment == nullptr) return true;  // was never recorded
  const std::shared_ptr<Graph> captured = event.captured.lock();
  if (event.was_captured && stream.captured == nullptr && captured != nullptr) {
    stream.captured = captured;
    stream.place = captured->streams.size();
    captured->streams.emplace_back();
  }
  if (event.was_captured != (stream.captured != nullptr) || stream.captured != captured) return false;
  add(stream, {{}, event.moment, {}});
  return true;
}

void begin_capture(Stream& stream) {
  stream.captured = std::make_shared<Graph>(Graph{{{}}});
  stream.place = 0;
}

std::unique_ptr<Graph> end_capture(Stream& stream) {
  const std::shared_ptr<Graph> captured = stream.captured;
  for (const auto& other : streams()) {
    if (other->captured == captured) other->captured = nullptr;
  }
  if (captured == nullptr || !captured->is_joined()) return nullptr;
  return std::make_unique<Graph>(*captured);
}

}  // namespace vantage::test::stand_in
