#include "explore/expression.h"

#include <muParser.h>

#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage {

namespace {

// Whether there is a '=' that is no part of ==, !=, <= or >=: muParser would change what the next expression reads.
bool assigns(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    if (i == 0 || std::string_view("!<>").find(text[i - 1]) == std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

struct Expression::Parsed {
  std::vector<double> values;
  mu::Parser parser;
};

Expression::Expression(const std::string& text, const std::vector<std::string>& names, const std::string& where)
    : text_(text), where_(where), parsed_(std::make_unique<Parsed>()) {
  parsed_->values.resize(names.size());
  try {
    for (size_t i = 0; i < names.size(); ++i) parsed_->parser.DefineVar(names[i], &parsed_->values[i]);
    parsed_->parser.SetExpr(text);
    if (assigns(text)) fail("{}: '{}' would assign with '='; '==' compares", where, text);
    parsed_->parser.Eval();  // reads it
    if (parsed_->parser.GetNumResults() != 1) fail("{}: '{}' is several expressions; expected one", where, text);
  } catch (const mu::Parser::exception_type& error) {
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
      fail("{}: '{}': there is no '{}'{}", where, text, error.GetToken(), did_you_mean(error.GetToken(), names));
    }
    fail("{}: '{}' is no expression: {}", where, text, error.GetMsg());
  }
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(std::span<const double> values) const {
  std::ranges::copy(values, parsed_->values.begin());
  const double value = parsed_->parser.Eval();
  if (!std::isfinite(value)) fail("{}: '{}' is {}, which is no number", where_, text_, value);
  return value;
}

}  // namespace vantage
