#include "report/table_column.h"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "report/packed.h"

namespace vantage::report {

namespace {

constexpr size_t kMostDistinct = 1024;
constexpr double kLargestExact = 9007199254740992;  // 2^53

}  // namespace

const double TableColumn::kNothing = std::numeric_limits<double>::quiet_NaN();

void TableColumn::add(const Json& value) {
  if (value.is_null()) return add_nothing();
  if (value.is_string()) {
    const auto [place, is_new] = texts_.try_emplace(value.get<std::string>(), static_cast<uint32_t>(texts_.size()));
    numbers_.push_back(place->second);
    return;
  }
  VANTAGE_CHECK(value.is_number() && texts_.empty());
  const auto number = value.get<double>();
  is_integer_ &= number == std::floor(number) && std::abs(number) < kLargestExact;
  numbers_.push_back(number);
}

bool TableColumn::varies() const {
  for (const double number : numbers_) {
    if (number != numbers_[0] && !(std::isnan(number) && std::isnan(numbers_[0]))) return true;
  }
  return false;
}

Json TableColumn::value() const {
  VANTAGE_CHECK(!numbers_.empty());
  if (std::isnan(numbers_[0])) return nullptr;
  if (is_text()) return texts_.begin()->first;
  if (is_integer_) return static_cast<int64_t>(numbers_[0]);
  return numbers_[0];
}

Json TableColumn::json() const {
  Json json = dictionary();
  if (!json.is_null()) return json;
  return is_integer_ ? integers() : floats();
}

Json TableColumn::dictionary() const {
  std::map<double, size_t> places;
  Json values = Json::array();
  size_t nothing = SIZE_MAX;
  if (is_text()) {
    std::vector<std::string> texts(texts_.size());
    for (const auto& [text, place] : texts_) texts[place] = text;
    values = texts;
  }
  Column codes;
  for (const double number : numbers_) {
    size_t place;
    if (std::isnan(number)) {
      if (nothing == SIZE_MAX) {
        nothing = values.size();
        values.push_back(nullptr);
      }
      place = nothing;
    } else if (is_text()) {
      place = static_cast<size_t>(number);
    } else {
      place = places.try_emplace(number, values.size()).first->second;
      if (place == values.size()) values.push_back(is_integer_ ? Json(static_cast<int64_t>(number)) : Json(number));
    }
    if (!is_text() && values.size() > kMostDistinct) return nullptr;
    codes.add(static_cast<int64_t>(place));
  }
  if (is_text()) return {{"texts", packed(json_line(values))}, {"codes", codes.packed()}};
  return {{"values", std::move(values)}, {"codes", codes.packed()}};
}

Json TableColumn::integers() const {
  Column all, missing;
  size_t last = 0;
  for (size_t row = 0; row < numbers_.size(); ++row) {
    const bool is_missing = std::isnan(numbers_[row]);
    all.add(is_missing ? 0 : static_cast<int64_t>(numbers_[row]));
    if (is_missing) missing.add(static_cast<int64_t>(row - std::exchange(last, row)));
  }
  return {{"integers", all.packed()}, {"missing", missing.packed()}};
}

Json TableColumn::floats() const {
  std::string bytes(4 * numbers_.size(), '\0');
  for (size_t row = 0; row < numbers_.size(); ++row) {
    const auto bits = std::bit_cast<uint32_t>(static_cast<float>(numbers_[row]));
    for (size_t i = 0; i < 4; ++i) bytes[i * numbers_.size() + row] = static_cast<char>(bits >> 8 * i & 255);
  }
  return {{"floats", packed(bytes)}};
}

}  // namespace vantage::report
