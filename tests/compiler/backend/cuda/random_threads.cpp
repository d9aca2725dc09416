#include "tests/compiler/backend/cuda/random_threads.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/cuda/calls.h"
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/notes.h"
#include "compiler/schedule/dependence.h"
#include "tests/catch.h"

namespace vantage::test {

using namespace schedule;

namespace {

class RandomThreads {
 public:
  RandomThreads(Schedule& s, std::mt19937_64& random) : s_(s), random_(random) {}

  void take() {
    const auto blocks = all_blocks(s_.function());
    const auto* block = blocks[static_cast<size_t>(pick(0, static_cast<int64_t>(blocks.size()) - 1))].as<ir::Block>();
    const BlockRV rv = s_.get_block(block->name);
    const std::vector<LoopRV> loops = s_.get_loops(rv);
    // Outermost loops in parts: those of blocks, of virtual threads, of threads, what is left.
    std::vector<LoopRV> outside, virtually, inside, rest;
    static const char* const kBlocks[] = {"blockIdx.x", "blockIdx.y"};
    static const char* const kThreads[] = {"threadIdx.x", "threadIdx.y"};
    for (size_t i = 0; i < loops.size(); ++i) {
      attempt([&] {
        if (i >= 2) return rest.push_back(loops[i]);
        extents_[i] = pick(1, 4);
        const auto parts = s_.split(loops[i], {std::nullopt, pick(1, 2), extents_[i], pick(1, 3)});
        s_.bind(parts[0], kBlocks[i]);
        if (pick(0, 1) == 0) s_.bind(parts[1], "vthread");
        s_.bind(parts[2], kThreads[i]);
        outside.push_back(parts[0]);
        virtually.push_back(parts[1]);
        inside.push_back(parts[2]);
        rest.push_back(parts[3]);
      });
    }
    std::shuffle(rest.begin(), rest.end(), random_);
    std::vector<LoopRV> order = outside;
    order.insert(order.end(), virtually.begin(), virtually.end());
    order.insert(order.end(), inside.begin(), inside.end());
    order.insert(order.end(), rest.begin(), rest.end());
    attempt([&] { s_.reorder(order); });
    attempt([&] { s_.reverse_compute_at(s_.cache_write(rv, "local"), any_of(inside)); });
    std::vector<std::string> read;
    for (const ir::Buffer& buffer : read_by(*block)) read.push_back(buffer->name);
    for (const std::string& name : read) {
      attempt([&] {
        const bool shared = pick(0, 3) > 0;
        const BlockRV fetched = s_.cache_read(rv, name, shared ? "shared" : "local");
        const auto around = s_.get_loops(rv);
        if (around.empty()) fail("no loops");
        const auto at = static_cast<size_t>(pick(0, static_cast<int64_t>(around.size()) - 1));
        s_.compute_at(fetched, around[at]);
        const auto all = s_.get_loops(fetched);
        if (!shared) return;
        fetch_together({all.begin() + static_cast<ptrdiff_t>(at) + 1, all.end()});
        if (pick(0, 1) == 0) attempt([&] { fetch_ahead(around[at]); });
      });
    }
  }

 private:
  void fetch_together(const std::vector<LoopRV>& loops) {
    const int64_t lanes = int64_t{1} << pick(0, 2);
    const auto parts = s_.split(s_.fuse(loops), {std::nullopt, extents_[1], extents_[0], lanes});
    s_.bind(parts[1], "threadIdx.y");
    s_.bind(parts[2], "threadIdx.x");
    if (lanes > 1) attempt([&] { s_.vectorize(parts[3]); });
  }
  // Whether a loop can be a pipeline turns out where it is made one.
  void fetch_ahead(LoopRV loop) {
    Schedule ahead = s_;
    ahead.annotate(loop, std::string(passes::kPipelineNote), pick(2, 4));
    cuda::lower(ahead.function());
    s_ = ahead;
  }
  template <typename Action>
  void attempt(const Action& action) {
    try {
      action();
    } catch (const Error&) {
    }
  }
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  LoopRV any_of(const std::vector<LoopRV>& loops) {
    if (loops.empty()) fail("no loops");
    return loops[static_cast<size_t>(pick(0, static_cast<int64_t>(loops.size()) - 1))];
  }

  Schedule& s_;
  std::mt19937_64& random_;
  int64_t extents_[2] = {1, 1};  // of threadIdx.x and .y
};

}  // namespace

void take_random_threads(Schedule& s, std::mt19937_64& random) {
  RandomThreads(s, random).take();
}

std::optional<ThreadedCase> random_threaded_case(std::mt19937_64& random, const std::string& name) {
  ThreadedCase result;
  result.original = random_te_function(random);
  result.original.name = name;
  result.arrays = random_arrays(result.original, random);
  ir::InterpreterOptions serial;
  serial.threads = false;
  result.expected = run(result.original, result.arrays, serial);
  Schedule s(result.original);
  Tally tally;
  for (int i = 0; i < 3; ++i) random_step(s, random, tally);
  take_random_threads(s, random);
  for (int i = 0; i < 3; ++i) random_step(s, random, tally);
  INFO(name << "\n" << to_cpp(s.trace()) << ir::to_text(s.function()));
  std::string wrong;
  try {
    result.lowered = cuda::lower(s.function(), [&](const passes::Step& step) {
      const auto messages = ir::verify(*step.function);
      if (wrong.empty() && !messages.empty()) wrong = fmt::format("{}: {}\n{}", step.name, messages[0], step.text());
    });
  } catch (const Error&) {
    REQUIRE(wrong == "");
    return std::nullopt;
  }
  REQUIRE(wrong == "");
  const std::string text = ir::to_text(result.lowered);
  INFO(text);
  REQUIRE(ir::to_text(ir::parse_function(text, "text", cuda::call_touches())) == text);
  ir::InterpreterOptions as_threads;
  as_threads.externs = cuda::externs();
  REQUIRE(first_difference(result.original, result.expected, run(result.lowered, result.arrays, as_threads)) == "");
  return result;
}

}  // namespace vantage::test
