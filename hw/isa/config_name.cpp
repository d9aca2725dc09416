#include "hw/isa/config_name.h"

#include <bit>
#include <charconv>

#include "base/error.h"
#include "base/json.h"
#include "base/math.h"

namespace vantage::isa {

namespace {

// Reads numbers with fixed text between them.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), rest_(text) {}

  int number() {
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) refuse();
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }
  int power_of_two() {
    const auto value = static_cast<unsigned>(number());
    if (!std::has_single_bit(value)) fail("'{}' is no configuration: {} is no power of two", text_, value);
    return log2_ceil(value);
  }
  bool skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!skip(c)) refuse();
  }
  void expect_end() const {
    if (!rest_.empty()) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    fail("'{}' is no configuration string, expected one as 1x16_i8w8a32_15_15_18_17", text_);
  }

  const std::string_view text_;
  std::string_view rest_;
};

}  // namespace

Config config_of_name(std::string_view name) {
  Json json = Config::vta_default().to_json();
  Scanner scanner(name);
  json["LOG_BATCH"] = scanner.power_of_two();
  scanner.expect('x');
  const int block_in = scanner.power_of_two();
  json["LOG_BLOCK"] = block_in;
  json["LOG_BLOCK_IN"] = block_in;
  json["LOG_BLOCK_OUT"] = scanner.skip('x') ? scanner.power_of_two() : block_in;
  scanner.expect('_');
  for (const auto& [letter, key] : {std::pair{'i', "LOG_INP_WIDTH"}, {'w', "LOG_WGT_WIDTH"}, {'a', "LOG_ACC_WIDTH"}}) {
    scanner.expect(letter);
    json[key] = scanner.power_of_two();
  }
  for (const char* key : {"LOG_UOP_BUFF_SIZE", "LOG_INP_BUFF_SIZE", "LOG_WGT_BUFF_SIZE", "LOG_ACC_BUFF_SIZE"}) {
    scanner.expect('_');
    json[key] = scanner.number();
  }
  scanner.expect_end();
  return Config::from_json(json, name);
}

}  // namespace vantage::isa
