#include "tests/compiler/schedule/random_ir.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace vantage::test {

namespace {

struct Array {
  std::string name;
  int rank = 1;
};

// An axis or a loop that runs over a dimension of this size.
struct Index {
  std::string name;
  int64_t extent;
};

class Writer {
 public:
  explicit Writer(std::mt19937_64& random) : random_(random), sizes_{pick(2, 5), pick(2, 4)} {}

  std::string run() {
    const std::string rows = fmt::format("{}", sizes_[0]), both = fmt::format("{}, {}", sizes_[0], sizes_[1]);
    for (const char* name : {"P", "R"}) arrays_.push_back({name, 1});
    for (const char* name : {"Q", "S"}) arrays_.push_back({name, 2});
    make();
    const int64_t count = pick(1, 4);
    for (int64_t i = 0; i < count; ++i) stage();
    std::string text = fmt::format(
        "@T.prim_func\ndef f(P: T.Buffer(({0},), \"int32\"), R: T.Buffer(({0},), \"int32\"), Q: T.Buffer(({1}), "
        "\"int32\"), S: T.Buffer(({1}), \"int32\")):\n",
        rows, both);
    for (const Array& made : allocated_) {
      text += fmt::format("    {} = T.alloc_buffer({}, \"int32\")\n", made.name, shape(made.rank));
    }
    return text + body_;
  }

 private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random_() % static_cast<uint64_t>(to - from + 1));
  }
  bool sometimes(int64_t of) { return pick(1, of) == 1; }
  std::string fresh(const std::string& stem) { return fmt::format("{}{}", stem, ++count_); }
  std::string shape(int rank) const {
    return rank == 1 ? fmt::format("({},)", sizes_[0]) : fmt::format("({}, {})", sizes_[0], sizes_[1]);
  }
  // Mostly one that was made last, so that chains form.
  Array any() {
    if (sometimes(2)) return arrays_.back();
    return arrays_[static_cast<size_t>(pick(0, static_cast<int64_t>(arrays_.size()) - 1))];
  }
  Array any(int rank) {
    Array found = any();
    while (found.rank != rank) found = any();
    return found;
  }

  void line(const std::string& text) { body_ += std::string(static_cast<size_t>(4 * depth_), ' ') + text + "\n"; }

  // Somewhere in a dimension: mostly at one of the variables.
  std::string place(const std::vector<Index>& at, int64_t extent) {
    std::vector<std::string> found;
    for (const Index& index : at) {
      if (index.extent <= extent) found.push_back(index.name);
    }
    if (found.empty() || sometimes(8)) return fmt::format("{}", pick(0, extent - 1));
    const std::string& name = found[static_cast<size_t>(pick(0, static_cast<int64_t>(found.size()) - 1))];
    switch (pick(0, 7)) {
      case 0: return fmt::format("({} + 1) % {}", name, extent);
      case 1: return fmt::format("({} + {}) % {}", name, extent - 1, extent);
      default: return name;
    }
  }
  std::string element(const std::vector<Index>& at) {
    Array array = any();
    while (array.name == not_) array = any();
    std::vector<std::string> indices;
    for (int d = 0; d < array.rank; ++d) indices.push_back(place(at, sizes_[d]));
    return fmt::format("{}[{}]", array.name, fmt::join(indices, ", "));
  }
  // Of values from elsewhere than `target`.
  std::string formula(const std::vector<Index>& at, const std::string& target = "") {
    not_ = target;
    switch (pick(0, 3)) {
      case 0: return fmt::format("{} + {}", element(at), pick(1, 9));
      case 1: return fmt::format("{} * 2 - {}", element(at), element(at));
      case 2: return fmt::format("T.max({}, {})", element(at), element(at));
      default: return fmt::format("{} - {}", element(at), at.front().name);
    }
  }

  // Loops over dimensions, and axes for them; `part`: as if with less than the whole.
  struct Nest {
    std::vector<Index> loops, axes;
    std::vector<std::string> bindings, domains;
    std::string condition;
    int depth = 0;
  };
  Nest open_loops(const std::vector<int64_t>& extents, bool part, bool in_order = false) {
    Nest nest;
    nest.depth = depth_;
    const int64_t how = part ? pick(0, 5) : -1;
    const auto stands = static_cast<size_t>(pick(0, static_cast<int64_t>(extents.size()) - 1));
    if (extents.size() == 2 && how < 0 && sometimes(5)) {
      const std::string loop = fresh("q");
      line(fmt::format("for {} in range({}):", loop, extents[0] * extents[1]));
      ++depth_;
      nest.bindings = {fmt::format("{} // {}", loop, extents[1]), fmt::format("{} % {}", loop, extents[1])};
      for (const int64_t extent : extents) {
        nest.axes.push_back({fresh("v"), extent});
        nest.domains.push_back(fmt::format("{}", extent));
      }
      return nest;
    }
    for (size_t d = 0; d < extents.size(); ++d) {
      const Index loop{fresh("i"), extents[d]};
      std::string range = fmt::format("{}", extents[d]), binding = loop.name;
      std::string domain = range;
      if (how >= 0 && d == stands) {
        switch (how) {
          case 0: range = fmt::format("1, {}", extents[d]); break;
          case 1:
            if (d > 0) range = nest.loops[0].extent <= extents[d] ? nest.loops[0].name + " + 1" : "1";
            break;
          case 2: nest.condition = fmt::format("{} % 2 == 1", loop.name); break;
          case 3:
            nest.condition = d > 0 ? fmt::format("{} <= {}", loop.name, nest.loops[0].name) : loop.name + " > 0";
            break;
          case 4:
            range = domain = fmt::format("1, {}", extents[d]);
            domain = "(" + domain + ")";
            break;
          default:
            range = fmt::format("{}", (extents[d] + 1) / 2);
            binding = loop.name + " * 2";
            break;
        }
      } else if (!in_order && sometimes(6)) {
        binding = fmt::format("{} - {}", extents[d] - 1, loop.name);
      }
      line(fmt::format("for {} in range({}):", loop.name, range));
      ++depth_;
      nest.loops.push_back(loop);
      nest.axes.push_back({fresh("v"), extents[d]});
      nest.bindings.push_back(binding);
      nest.domains.push_back(domain);
    }
    return nest;
  }
  // The block's head; its body is to be written, and then close() called.
  void open_block(const Nest& nest, const std::vector<const char*>& kinds) {
    line(fmt::format("with T.block(\"{}\"):", fresh("b")));
    ++depth_;
    for (size_t i = 0; i < nest.axes.size(); ++i) {
      line(fmt::format("{} = T.axis.{}({}, {})", nest.axes[i].name, kinds[i], nest.domains[i], nest.bindings[i]));
    }
    if (!nest.condition.empty()) line(fmt::format("T.where({})", nest.condition));
    line("T.reads()");
    line("T.writes()");
  }
  void close(const Nest& nest) { depth_ = nest.depth; }

  std::vector<int64_t> extents(int rank) const { return {sizes_.begin(), sizes_.begin() + rank}; }
  std::string own(const Array& array, const Nest& nest) const {
    return array.rank == 1 ? fmt::format("{}[{}]", array.name, nest.axes[0].name)
                           : fmt::format("{}[{}, {}]", array.name, nest.axes[0].name, nest.axes[1].name);
  }

  // One that is new, or one that is there, made whole or in part.
  void make() {
    const bool is_new = pick(0, 3) > 0;
    const Array target = is_new ? Array{fresh("B"), static_cast<int>(pick(1, 2))} : any();
    const bool part = !is_new && sometimes(2);
    const Nest nest = open_loops(extents(target.rank), part);
    open_block(nest, {"spatial", "spatial"});
    std::string value = formula(nest.axes, target.name);
    if (!is_new && sometimes(3)) value = fmt::format("{} * 3 - {}", own(target, nest), value);
    if (!is_new && sometimes(5)) {
      line(fmt::format("if {} % 2 == 1:", nest.axes[0].name));
      ++depth_;
    }
    line(fmt::format("{} = {}", own(target, nest), value));
    close(nest);
    if (is_new) add(target);
  }
  void add(const Array& array) {
    arrays_.push_back(array);
    allocated_.push_back(array);
  }

  // Sums of rows, into a new array or an old one; without an initial value onto what is there.
  void reduce() {
    const bool from_start = sometimes(2), is_new = from_start && sometimes(2);
    const Array target = is_new ? Array{fresh("B"), 1} : any(1);
    const Nest nest = open_loops(extents(2), !is_new && sometimes(2), true);
    open_block(nest, {"spatial", "reduce"});
    const std::string own = fmt::format("{}[{}]", target.name, nest.axes[0].name);
    if (from_start) {
      line("with T.init():");
      ++depth_;
      line(fmt::format("{} = {}", own, pick(0, 3)));
      --depth_;
    }
    const std::string value = formula(nest.axes, target.name);
    line(fmt::format("{} = {} + ({})", own, own, value));
    close(nest);
    if (is_new) add(target);
  }

  // Steps that need earlier ones by way of a place that does not move with them.
  void scan() {
    const Array target = any(1);
    const bool by_row = sometimes(2);
    const Nest nest = open_loops(by_row ? extents(1) : extents(2), sometimes(3), true);
    open_block(nest, by_row ? std::vector<const char*>{"scan"} : std::vector<const char*>{"spatial", "scan"});
    const std::string own = fmt::format("{}[{}]", target.name, by_row ? "0" : nest.axes[0].name);
    line(fmt::format("{} = {} * 3 - {}", own, own, formula({nest.axes.back()}, target.name)));
    close(nest);
  }

  // In no block.
  void plain() {
    const Array target = any();
    const int depth = depth_;
    std::vector<Index> loops;
    const bool is_single = sometimes(3);
    std::vector<std::string> indices;
    for (const int64_t extent : extents(target.rank)) {
      loops.push_back({is_single ? fmt::format("{}", pick(0, extent - 1)) : fresh("i"), extent});
      indices.push_back(loops.back().name);
      if (is_single) continue;
      line(fmt::format("for {} in range({}):", loops.back().name, extent));
      ++depth_;
    }
    if (is_single) loops = {{"0", 1}};
    line(fmt::format("{}[{}] = {}", target.name, fmt::join(indices, ", "), formula(loops)));
    depth_ = depth;
  }

  // A loop with a let or an allocation around blocks.
  void inside_loop() {
    const int depth = depth_;
    const Index outer{fresh("i"), sizes_[0]}, inner{fresh("i"), sizes_[1]};
    const bool is_new = sometimes(2);
    const Array target = is_new ? Array{fresh("B"), 2} : any(2);
    const int64_t kind = pick(0, 2);
    line(fmt::format("for {} in range({}):", outer.name, outer.extent));
    ++depth_;
    std::string more;
    if (kind == 0) {
      more = fresh("s");
      line(fmt::format("{}: T.int32 = {}", more, formula({outer})));
    } else if (kind == 1) {
      const std::string held = fresh("t"), loop = fresh("i"), axis = fresh("v"), row = fresh("v");
      line(fmt::format("{} = T.allocate(({},), \"int32\")", held, inner.extent));
      line(fmt::format("for {} in range({}):", loop, inner.extent));
      ++depth_;
      line(fmt::format("with T.block(\"{}\"):", fresh("b")));
      ++depth_;
      const bool direct = sometimes(2);
      if (!direct) line(fmt::format("{} = T.axis.scan({}, {})", row, outer.extent, outer.name));
      line(fmt::format("{} = T.axis.spatial({}, {})", axis, inner.extent, loop));
      line("T.reads()");
      line("T.writes()");
      line(fmt::format("{}[{}] = {}", held, axis,
                       formula({{direct ? outer.name : row, outer.extent}, {axis, inner.extent}})));
      depth_ -= 2;
      more = held;
    } else if (sometimes(2)) {
      const Array other = any(1);
      line(fmt::format("{}[{}] = {}", other.name, outer.name, formula({outer})));
    }
    line(fmt::format("for {} in range({}):", inner.name, inner.extent));
    ++depth_;
    Nest nest;
    nest.axes = {{fresh("v"), outer.extent}, {fresh("v"), inner.extent}};
    nest.bindings = {outer.name, inner.name};
    nest.domains = {fmt::format("{}", outer.extent), fmt::format("{}", inner.extent)};
    open_block(nest, {"spatial", "spatial"});
    std::string value = formula(nest.axes, target.name);
    if (kind == 0) value += " + " + more;
    if (kind == 1) value += fmt::format(" + {}[{}]", more, place({nest.axes[1]}, inner.extent));
    line(fmt::format("{} = {}", own(target, nest), value));
    depth_ = depth;
    if (is_new) add(target);
  }

  void stage() {
    const size_t arrays = arrays_.size();
    const int64_t kind = pick(0, 10);
    const int depth = depth_;
    // What is made under a condition is not there otherwise, and so not made anew.
    const std::string before = body_;
    const bool conditional = sometimes(6);
    if (conditional) {
      line(fmt::format("if {} > {}:", element({{"0", 1}}), pick(-15, 15)));
      ++depth_;
    }
    if (kind < 5) make();
    if (kind == 5 || kind == 6) reduce();
    if (kind == 7) scan();
    if (kind == 8) plain();
    if (kind > 8) inside_loop();
    depth_ = depth;
    if (!conditional || arrays_.size() == arrays) return;
    arrays_.resize(arrays);
    allocated_.pop_back();
    body_ = before;
    stage();
  }

  std::mt19937_64& random_;
  std::vector<int64_t> sizes_;  // rows, columns
  std::vector<Array> arrays_, allocated_;
  std::string body_;
  std::string not_;  // what is not to be read
  int depth_ = 1;
  int count_ = 0;
};

}  // namespace

std::string random_ir_text(std::mt19937_64& random) {
  return Writer(random).run();
}

}  // namespace vantage::test
