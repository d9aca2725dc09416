#include "base/json.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"

namespace vantage {

namespace {

constexpr size_t kMaxDepth = 32;   // no format of ours nests deeper than 6
constexpr size_t kMaxKeys = 1000;  // nor has an object with more than a few dozen keys

std::string position(std::string_view text, size_t byte) {
  // The library counts from 1 and points just past the offending character.
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  const size_t column = 1 + (newline == std::string_view::npos ? before.size() : before.size() - newline - 1);
  return fmt::format("{}:{}", line, column);
}

// What is left of the library's message once its error number, in brackets, and its own position are cut off.
std::string reason(std::string_view what) {
  for (const std::string_view end : {": ", "] "}) {
    const size_t at = what.find(end);
    if (at != std::string_view::npos) return std::string(what.substr(at + end.size()));
  }
  return std::string(what);
}

// Builds the value from the parser's events, refusing what the library itself lets pass. Each event costs the same
// whatever was read before it, so a text takes time in proportion to its length.
class Builder final : public Json::json_sax_t {
 public:
  Builder(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(int64_t value) override { return add(value); }
  bool number_unsigned(uint64_t value) override { return add(value); }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // JSON text has none

  bool start_object(size_t) override {
    open(Json::object());
    keys_.emplace_back();
    return true;
  }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second) {
      fail("{}: the key {} appears twice in one object; keep one of them", source_, json_excerpt(name));
    }
    // A member is found by a walk over all of them, so very many would make reading them quadratic.
    if (keys_.back().size() > kMaxKeys) fail("{}: more than {} keys in one object", source_, kMaxKeys);
    key_ = std::move(name);
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    open_.pop_back();
    return true;
  }

  bool start_array(size_t) override {
    open(Json::array());
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }

  bool parse_error(size_t byte, const std::string&, const Json::exception& error) override {
    fail("{}:{}: not valid JSON: {}", source_, position(text_, byte), reason(error.what()));
  }

 private:
  Json& place(Json&& value) {
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return open_.back()->back();
    }
    // The key is known to be new, so the members need not be searched for it.
    auto& members = open_.back()->get_ref<Json::object_t&>();
    static_cast<Json::object_t::Container&>(members).emplace_back(std::move(key_), std::move(value));
    return members.back().second;
  }

  bool add(Json&& value) {
    place(std::move(value));
    return true;
  }

  void open(Json&& container) {
    if (open_.size() == kMaxDepth) fail("{}: nested deeper than {} levels", source_, kMaxDepth);
    open_.push_back(&place(std::move(container)));
  }

  std::string_view text_, source_;
  Json root_;
  // From the outermost to the innermost value that has not ended. None of them moves: its parent grows no further
  // until it has ended.
  std::vector<Json*> open_;
  std::vector<std::set<std::string>> keys_;  // of the open objects
  std::string key_;                          // of the member whose value comes next
};

}  // namespace

Json parse_json(std::string_view text, std::string_view source) {
  Builder builder(text, source);
  VANTAGE_CHECK(Json::sax_parse(text, &builder));  // what is wrong with the text is thrown by parse_error()
  return builder.take();
}

std::string json_excerpt(const Json& value) {
  constexpr size_t kMaxLength = 60;
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);  // ASCII only, so any cut is clean
  if (text.size() > kMaxLength) text = text.substr(0, kMaxLength) + "...";
  return text;
}

std::string json_text(const Json& value) {
  return value.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vantage
