// Conditions on designs, as people write them: "LOG_BLOCK_IN + LOG_BLOCK_OUT == 8", "MACS <= 1024 && BUS_BYTES >= 16".
//
// Thread safety: one thread at a time for each expression.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vantage {

// Arithmetic, comparisons, && and ||, and the functions of muParser, over numbers with names.
class Expression {
 public:
  // Throws Error, beginning with `where`, for what cannot be read, and suggests a name for one that is not in `names`.
  Expression(const std::string& text, const std::vector<std::string>& names, const std::string& where);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  const std::string& text() const { return text_; }
  // With these values of the names, in their order. Throws Error for a value that is no number, such as 1 / 0.
  double operator()(std::span<const double> values) const;

 private:
  struct Parsed;
  std::string text_, where_;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace vantage
