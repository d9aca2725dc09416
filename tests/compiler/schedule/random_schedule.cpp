#include "tests/compiler/schedule/random_schedule.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "compiler/schedule/tree.h"

namespace vantage::test {

using namespace schedule;

namespace {

class Step {
 public:
  Step(Schedule& s, std::mt19937_64& random) : s_(s), random_(random) {}

  std::string run() {
    using Action = std::function<void()>;
    const std::vector<std::pair<const char*, Action>> actions = {
        {"split",
         [&] {
           const int64_t kind = pick(0, 2);
           if (kind == 0) {
             s_.split(loop(), {std::nullopt, pick(1, 5)});
           } else if (kind == 1) {
             s_.split(loop(), {pick(1, 5), std::nullopt});
           } else {
             s_.split(loop(), {std::nullopt, pick(1, 3), pick(1, 3)});
           }
         }},
        {"fuse",
         [&] {
           const auto l = loops();
           const auto i = static_cast<size_t>(pick(0, static_cast<int64_t>(l.size()) - 1));
           s_.fuse({l[i], l[std::min(i + 1, l.size() - 1)]});
         }},
        {"reorder",
         [&] {
           auto l = loops();
           std::shuffle(l.begin(), l.end(), random_);
           l.resize(static_cast<size_t>(pick(1, static_cast<int64_t>(l.size()))));
           s_.reorder(l);
         }},
        {"parallel", [&] { s_.parallel(loop()); }},
        {"vectorize", [&] { s_.vectorize(loop()); }},
        {"unroll", [&] { s_.unroll(loop()); }},
        {"bind",
         [&] {
           static const std::vector<std::string> kAxes = {"vthread",     "vthread",     "blockIdx.x",
                                                          "threadIdx.x", "threadIdx.x", "threadIdx.y"};
           s_.bind(loop(), kAxes[static_cast<size_t>(pick(0, 5))]);
         }},
        {"compute_at", [&] { s_.compute_at(block(), loop()); }},
        {"reverse_compute_at", [&] { s_.reverse_compute_at(block(), loop()); }},
        {"compute_inline", [&] { s_.compute_inline(block()); }},
        {"reverse_compute_inline", [&] { s_.reverse_compute_inline(block()); }},
        {"cache_read", [&] { s_.cache_read(block(), buffer(), scope()); }},
        {"cache_write", [&] { s_.cache_write(block(), scope()); }},
        {"set_scope", [&] { s_.set_scope(block(), scope()); }},
        {"storage_align", [&] { s_.storage_align(block(), pick(-1, 1), pick(1, 4), pick(0, 3)); }},
        {"double_buffer", [&] { s_.double_buffer(block()); }},
        {"decompose_reduction",
         [&] {
           const BlockRV b = block();
           s_.decompose_reduction(b, any_of(s_.get_loops(b)));
         }},
        {"rfactor", [&] { s_.rfactor(loop(), pick(-1, 2)); }},
        {"blockize", [&] { s_.blockize(loop()); }},
        {"annotate", [&] { s_.annotate(loop(), "user.note", pick(0, 9)); }},
    };
    const auto& [name, action] = actions[static_cast<size_t>(pick(0, static_cast<int64_t>(actions.size()) - 1))];
    name_ = name;
    action();
    return name_;
  }
  const std::string& name() const { return name_; }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  BlockRV block() {
    const auto blocks = all_blocks(s_.function());
    const auto& one = blocks[static_cast<size_t>(pick(0, static_cast<int64_t>(blocks.size()) - 1))];
    return s_.get_block(one.as<ir::Block>()->name);
  }
  LoopRV any_of(const std::vector<LoopRV>& loops) {
    if (loops.empty()) fail("a block without loops");
    return loops[static_cast<size_t>(pick(0, static_cast<int64_t>(loops.size()) - 1))];
  }
  std::vector<LoopRV> loops() {
    const auto l = s_.get_loops(block());
    if (l.empty()) fail("a block without loops");
    return l;
  }
  std::string scope() { return pick(0, 1) == 0 ? "local" : "shared"; }
  LoopRV loop() { return any_of(loops()); }
  std::string buffer() {
    std::vector<ir::Buffer> all = s_.function().buffers();
    all.insert(all.end(), s_.function().allocations.begin(), s_.function().allocations.end());
    return all[static_cast<size_t>(pick(0, static_cast<int64_t>(all.size()) - 1))]->name;
  }

  Schedule& s_;
  std::mt19937_64& random_;
  std::string name_;
};

}  // namespace

std::string random_step(Schedule& s, std::mt19937_64& random, Tally& tally) {
  Step step(s, random);
  try {
    const std::string name = step.run();
    ++tally.done[name];
    return name;
  } catch (const Error&) {
    ++tally.refused[step.name()];
    return {};
  }
}

}  // namespace vantage::test
