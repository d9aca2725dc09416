#include "tests/compiler/backend/cuda/random_text.h"

#include <fmt/format.h>

#include <vector>

namespace vantage::test {

namespace {

class TextDrawing {
 public:
  explicit TextDrawing(std::mt19937_64& random) : random_(random) {}

  std::string draw() {
    line("(A: T.Buffer((8, 16), \"int32\"), B: T.Buffer((8, 16), \"int32\"), C: T.Buffer((4,), \"int32\")):");
    indent_ = 4;
    line("for i in T.thread_binding(8, thread=\"threadIdx.x\"):");
    indent_ = 8;
    numbers_ = {"i"};
    rows_ = {"i"};
    if (one_in(3)) {
      line("own = T.allocate((2,), \"int32\", scope=\"local\")");
      line(fmt::format("own[0] = {}", one_in(2) ? "i" : value(1)));
      line(fmt::format("own[1] = {}", value(1)));
      has_own_ = true;
    }
    statements(3);
    return text_;
  }

 private:
  size_t below(size_t end) { return random_() % end; }
  bool one_in(size_t count) { return below(count) == 0; }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }
  void line(const std::string& words) { text_ += std::string(indent_, ' ') + words + "\n"; }
  std::string fresh(const char* name) { return fmt::format("{}_{}", name, next_++); }

  std::string column() {
    if (!lane_.empty()) {
      const std::string first =
          one_in(2) ? fmt::format("{}", 4 * below(4)) : fmt::format("4 * ({} & 3)", any(numbers_));
      return fmt::format("{} + {}", first, lane_);
    }
    return one_in(3) ? fmt::format("{}", below(16)) : fmt::format("({} & 15)", any(numbers_));
  }
  std::string value(int depth) {
    switch (depth == 0 ? below(4) : below(8)) {
      case 0: return fmt::format("{}", static_cast<int>(below(9)) - 4);
      case 1: return any(numbers_);
      case 2: return fmt::format("A[{}, {}]", any(rows_), column());
      case 3:
        return has_own_ && one_in(2) ? fmt::format("own[{}]", below(2))
                                     : fmt::format("B[{}, {}]", any(rows_), column());
      case 4: return fmt::format("T.max({}, {})", value(depth - 1), value(depth - 1));
      case 5: return fmt::format("({} - {})", value(depth - 1), value(depth - 1));
      case 6: return fmt::format("({} + {}) % 64", value(depth - 1), value(depth - 1));
      default:
        return fmt::format("T.if_then_else({}, {}, {})", condition(depth - 1), value(depth - 1), value(depth - 1));
    }
  }
  std::string condition(int depth) {
    static const std::vector<std::string> kCompare = {"<", "<=", "==", "!=", ">", ">="};
    return fmt::format("{} {} {}", value(depth), any(kCompare), static_cast<int>(below(9)) - 2);
  }

  void statements(int depth) {
    const size_t count = 1 + below(3);
    const auto known = numbers_, rows = rows_;
    for (size_t n = 0; n < count; ++n) statement(depth);
    numbers_ = known;
    rows_ = rows;
  }
  // Deeper by one step.
  void inside(const std::string& head, int depth) {
    line(head);
    indent_ += 4;
    statements(depth);
    indent_ -= 4;
  }
  void store() {
    const std::string stored = value(2);
    if (lane_.empty() && has_own_ && one_in(4)) return line(fmt::format("own[{}] = {}", below(2), stored));
    line(fmt::format("B[{}, {}] = {}", any(rows_), column(), stored));
  }
  void statement(int depth) {
    switch (depth == 0 ? below(2) : below(9)) {
      case 0:
      case 1: return store();
      case 2:
      case 3: {
        inside(fmt::format("if {}:", condition(1)), depth - 1);
        if (one_in(2)) inside("else:", depth - 1);
        return;
      }
      case 4: {
        const std::string name = fresh("t");
        std::string head = fmt::format("for {} in range({}):", name, 1 + below(5));
        if (one_in(3)) head = fmt::format("for {} in range({} & 3):", name, value(1));
        if (one_in(4)) head = fmt::format("for {} in T.serial({}, {} + 2):", name, any(numbers_), any(numbers_));
        const auto known = numbers_;
        numbers_.push_back(name);
        inside(head, depth - 1);
        numbers_ = known;
        return;
      }
      case 5: {
        const std::string name = fresh("x");
        line(fmt::format("{}: T.int32 = {}", name, value(2)));
        numbers_.push_back(name);
        return;
      }
      case 6: {
        const std::string name = fresh("row");
        line(fmt::format("{}: T.int32 = {}", name, one_in(2) ? "i" : "i * 2 // 2"));
        rows_.push_back(name);
        numbers_.push_back(name);
        return;
      }
      case 7: {
        lane_ = fresh("k");
        line(fmt::format("for {} in T.vectorized(4):", lane_));
        indent_ += 4;
        store();
        indent_ -= 4;
        lane_.clear();
        return;
      }
      default: {
        // Each element by a thread of its own.
        const size_t element = below(4);
        line(fmt::format("if i == {}:", element * 2 + 1));
        indent_ += 4;
        line(fmt::format("C[{}] = {}", element, value(1)));
        indent_ -= 4;
        return;
      }
    }
  }

  std::mt19937_64& random_;
  std::string text_, lane_;
  std::vector<std::string> numbers_, rows_;  // variables of any number, and of a thread's row
  size_t indent_ = 0;
  int next_ = 0;
  bool has_own_ = false;
};

}  // namespace

std::string random_kernel_text(std::mt19937_64& random) {
  return TextDrawing(random).draw();
}

}  // namespace vantage::test
