#include "tests/compiler/schedule/random_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "compiler/schedule/dependence.h"
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
        {"get_loop",
         [&] {
           static const std::vector<std::string> kNames = {"i", "j", "k", "i_0", "i_1", "j_0", "ax0", "i_j_fused"};
           s_.split(s_.get_loop(block(), kNames[static_cast<size_t>(pick(0, 7))]), {std::nullopt, 2});
         }},
        {"sample_perfect_tile",
         [&] {
           const LoopRV l = loop();
           const auto parts = s_.sample_perfect_tile(l, pick(2, 3), pick(1, 8));
           s_.split(l, Factors(parts.begin(), parts.end()));
         }},
        {"sample_categorical",
         [&] {
           const LoopRV l = loop();
           s_.split(l, {std::nullopt, s_.sample_categorical({1, 2, 3}, {0.25, 0.5, 0.25})});
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
        {"double_buffer", [&] { s_.double_buffer(block(), 2 + static_cast<int64_t>(s_.trace().size() % 4)); }},
        {"transform_layout",
         [&] {
           const std::string name = buffer();
           s_.transform_layout(block(), name, index_map(s_.function().find_buffer(name)->shape));
         }},
        {"rolling_buffer",
         [&] {
           const auto [made, read] = dependence();
           const BlockRV b = s_.get_block(made);
           if (pick(0, 3) == 0) return s_.rolling_buffer(b);
           // Few blocks can roll where they are: beside a reader, in whichever of its loops.
           for (const LoopRV l : s_.get_loops(s_.get_block(read))) {
             Schedule moved = s_;
             try {
               moved.compute_at(b, l);
               moved.rolling_buffer(b);
               s_ = moved;
               return;
             } catch (const Error&) {
             }
           }
           fail("no loop to roll in");
         }},
        {"decompose_padding",
         [&] {
           const BlockRV b = block();
           s_.decompose_padding(b, any_of(s_.get_loops(b)));
         }},
        {"pad_einsum",
         [&] {
           schedule::Factors padding;
           const BlockRV b = block();
           for (size_t i = s_.get_loops(b).size(); i-- > 0;) padding.emplace_back(pick(1, 5));
           s_.pad_einsum(b, padding);
         }},
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
    if (blocks.empty()) fail("a function without blocks");
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

  // A block, and one that reads what it makes.
  std::pair<std::string, std::string> dependence() {
    std::vector<std::pair<std::string, std::string>> found;
    for (const ir::Stmt& producer : all_blocks(s_.function())) {
      for (const ir::Stmt& reader : all_blocks(s_.function())) {
        const auto &from = *producer.as<ir::Block>(), &to = *reader.as<ir::Block>();
        for (const ir::Buffer& made : written_by(from)) {
          const auto inputs = read_by(to);
          const bool reads = std::find(inputs.begin(), inputs.end(), made) != inputs.end();
          if (reads && from.name != to.name) found.emplace_back(from.name, to.name);
        }
      }
    }
    if (found.empty()) fail("no block reads what another one makes");
    return found[static_cast<size_t>(pick(0, static_cast<int64_t>(found.size()) - 1))];
  }
  // Every size in one or two parts, the parts in any order, some of them in one dimension together.
  std::string index_map(const std::vector<ir::Expr>& shape) {
    struct Part {
      std::string text;
      int64_t extent;
    };
    std::vector<Part> parts;
    std::string names;
    for (size_t d = 0; d < shape.size(); ++d) {
      const std::string name(1, static_cast<char>('i' + d));
      names += (d == 0 ? "" : ", ") + name;
      const int64_t size = *ir::as_int(shape[d]), inner = pick(1, size);
      // Where it is no divisor, the map is to be refused.
      if (inner == 1 || inner == size || pick(0, 2) == 0) {
        parts.push_back({name, size});
      } else {
        parts.push_back({fmt::format("{} // {}", name, inner), size / inner});
        parts.push_back({fmt::format("{} % {}", name, inner), inner});
      }
    }
    std::shuffle(parts.begin(), parts.end(), random_);
    std::string indices;
    for (size_t i = 0; i < parts.size(); ++i) {
      std::string index = parts[i].text;
      if (i + 1 < parts.size() && pick(0, 2) == 0) {
        index = fmt::format("({}) * {} + {}", parts[i].text, parts[i + 1].extent, parts[i + 1].text);
        ++i;
      }
      indices += (indices.empty() ? "" : ", ") + index;
    }
    return names + " -> " + indices;
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
