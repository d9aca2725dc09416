#include "tests/compiler/ir/evaluate_text.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "base/error.h"
#include "compiler/ir/expr.h"

namespace vantage::test {

using namespace ir;

namespace {

class Reader {
 public:
  Reader(std::string text, std::map<std::string, int64_t> values)
      : text_(std::move(text)), values_(std::move(values)) {}

  int64_t read() {
    const int64_t result = either();
    skip();
    if (at_ != text_.size()) fail("nothing expected at '{}'", text_.substr(at_));
    return result;
  }

 private:
  int64_t either() {
    int64_t left = both();
    while (word("or")) {
      const int64_t right = both();
      left = left != 0 || right != 0;
    }
    return left;
  }
  int64_t both() {
    int64_t left = negation();
    while (word("and")) {
      const int64_t right = negation();
      left = left != 0 && right != 0;
    }
    return left;
  }
  int64_t negation() { return word("not") ? static_cast<int64_t>(negation() == 0) : comparison(); }
  int64_t comparison() {
    const int64_t left = bits(0);
    for (const auto& [symbol, op] : std::vector<std::pair<std::string, BinaryOp>>{{"==", BinaryOp::kEq},
                                                                                  {"!=", BinaryOp::kNe},
                                                                                  {"<=", BinaryOp::kLe},
                                                                                  {">=", BinaryOp::kGe},
                                                                                  {"<", BinaryOp::kLt},
                                                                                  {">", BinaryOp::kGt}}) {
      if (!sign(symbol)) continue;
      const int64_t result = apply(op, left, bits(0));
      for (const char* other : {"==", "!=", "<", ">"}) {
        if (sign(other)) fail("a chain of comparisons in '{}'", text_);
      }
      return result;
    }
    return left;
  }
  // |, ^, &, shifts, sums, products: each level binds tighter than the one before.
  int64_t bits(size_t level) {
    static const std::vector<std::vector<std::pair<std::string, BinaryOp>>> kLevels = {
        {{"|", BinaryOp::kBitOr}},
        {{"^", BinaryOp::kBitXor}},
        {{"&", BinaryOp::kBitAnd}},
        {{"<<", BinaryOp::kShl}, {">>", BinaryOp::kShr}},
        {{"+", BinaryOp::kAdd}, {"-", BinaryOp::kSub}},
        {{"*", BinaryOp::kMul}, {"//", BinaryOp::kFloorDiv}, {"%", BinaryOp::kFloorMod}}};
    if (level == kLevels.size()) return unary();
    int64_t left = bits(level + 1);
    for (bool again = true; again;) {
      again = false;
      for (const auto& [symbol, op] : kLevels[level]) {
        if (!sign(symbol)) continue;
        const int64_t right = bits(level + 1);
        left = apply(op, left, right);
        again = true;
        break;
      }
    }
    return left;
  }
  int64_t unary() { return sign("-") ? -unary() : atom(); }
  int64_t atom() {
    if (sign("(")) {
      const int64_t inside = either();
      expect(")");
      return inside;
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
      size_t length = 0;
      const int64_t value = std::stoll(text_.substr(at_), &length);
      at_ += length;
      return value;
    }
    const std::string name = identifier();
    if (name == "True" || name == "False") return name == "True";
    if (!name.starts_with("T.")) return values_.at(name);
    expect("(");
    std::vector<int64_t> arguments;
    do arguments.push_back(either());
    while (sign(","));
    expect(")");
    if (name == "T.likely") return arguments.at(0);
    if (name == "T.if_then_else") return arguments.at(0) != 0 ? arguments.at(1) : arguments.at(2);
    if (name == "T.min") return std::min(arguments.at(0), arguments.at(1));
    if (name == "T.max") return std::max(arguments.at(0), arguments.at(1));
    if (name == "T.truncdiv") return apply(BinaryOp::kTruncDiv, arguments.at(0), arguments.at(1));
    if (name == "T.truncmod") return apply(BinaryOp::kTruncMod, arguments.at(0), arguments.at(1));
    fail("'{}' is no function", name);
  }

  static int64_t apply(BinaryOp op, int64_t a, int64_t b) {
    int64_t result = 0;
    if (!evaluate_int(op, kInt32, a, b, &result)) fail("a division by zero");
    return result;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // "<" is not the beginning of "<<" or "<=".
  bool sign(const std::string& symbol) {
    skip();
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    const char next = at_ + symbol.size() < text_.size() ? text_[at_ + symbol.size()] : '\0';
    if ((symbol == "<" || symbol == ">") && (next == symbol[0] || next == '=')) return false;
    at_ += symbol.size();
    return true;
  }
  bool word(const std::string& wanted) {
    skip();
    const size_t before = at_;
    if (identifier() == wanted) return true;
    at_ = before;
    return false;
  }
  std::string identifier() {
    skip();
    const size_t begin = at_;
    const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
    while (at_ < text_.size() && inside(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void expect(const std::string& symbol) {
    if (!sign(symbol)) fail("'{}' expected at '{}'", symbol, text_.substr(at_));
  }

  std::string text_;
  std::map<std::string, int64_t> values_;
  size_t at_ = 0;
};

}  // namespace

int64_t evaluate_text(const std::string& text, const std::map<std::string, int64_t>& values) {
  return Reader(text, values).read();
}

}  // namespace vantage::test
