#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/stop.h"

namespace vantage {

namespace {

constexpr size_t kMaxDepth = 32;   // no format of ours nests deeper than 6
constexpr size_t kMaxKeys = 1000;  // nor has an object with more than a few dozen keys
constexpr std::string_view kBlanks = " \t\r\n";

// Line and column of a character, from its index.
std::string position(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
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

// The names in one object, each once. Most objects have a few, which are compared; in others they are looked up.
class Keys {
 public:
  // False when the name was there.
  bool add(const std::string& name, const Json::object_t& members) {
    constexpr size_t kFew = 16;
    if (members.size() < kFew) {
      return std::none_of(members.begin(), members.end(), [&](const auto& member) { return member.first == name; });
    }
    if (many_.empty()) {
      for (const auto& member : members) many_.insert(member.first);
    }
    return many_.insert(name).second;
  }

 private:
  std::set<std::string> many_;
};

// Builds the value from the parser's events, refusing what the library itself lets pass. Each event costs the same
// whatever was read before it, so a text takes time in proportion to its length.
class Builder final : public Json::json_sax_t {
 public:
  Builder(std::string_view text, std::string_view source, const JsonReading& how)
      : text_(text), source_(source), how_(how) {}

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
    const auto& members = open_.back()->get_ref<const Json::object_t&>();
    if (!keys_.back().add(name, members)) {
      fail("{}: the key {} appears twice in one object; keep one of them", source_, json_excerpt(name));
    }
    // A member is found by a walk over all of them, so very many would make reading them quadratic.
    if (members.size() == kMaxKeys) fail("{}: more than {} keys in one object", source_, kMaxKeys);
    key_ = std::move(name);
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    open_.pop_back();
    hand_over();
    return true;
  }

  bool start_array(size_t) override {
    const JsonStream* const stream = stream_here();
    open(Json::array());
    if (stream == nullptr) return true;
    if (how_.before_stream) how_.before_stream(root_);
    stream_ = stream;
    index_ = 0;
    open_.back() = nullptr;
    return true;
  }
  bool end_array() override {
    if (open_.back() == nullptr) stream_ = nullptr;
    open_.pop_back();
    hand_over();
    return true;
  }

  bool parse_error(size_t byte, const std::string&, const Json::exception& error) override {
    // The library counts from 1 and points just past the offending character.
    const size_t at = byte > 0 ? byte - 1 : 0;
    if (at < text_.size() && (text_[at] == ']' || text_[at] == '}')) {
      const size_t before = text_.substr(0, at).find_last_not_of(kBlanks);
      if (before != std::string_view::npos && text_[before] == ',') {
        fail("{}:{}: not valid JSON: nothing follows this comma; remove it", source_, position(text_, before));
      }
    }
    fail("{}:{}: not valid JSON: {}", source_, position(text_, at), reason(error.what()));
  }

 private:
  // The stream whose array begins here, if one does: under its key in the outermost object.
  const JsonStream* stream_here() const {
    if (open_.size() != 1 || root_.is_array()) return nullptr;
    const auto found = std::find_if(how_.streams.begin(), how_.streams.end(),
                                    [&](const JsonStream& stream) { return stream.key == key_; });
    return found == how_.streams.end() ? nullptr : &*found;
  }

  // Where the next value goes. What is streamed has a place that every element takes again.
  Json& place(Json&& value) {
    require_going_on(how_.stop);
    if (!open_.empty() && open_.back() == nullptr) values_ = 0;  // each element has a count of its own
    if (++values_ > how_.max_values) fail("{}: more than {} values", source_, how_.max_values);
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back() == nullptr) {
      // One object after another keeps the first one's memory.
      if (element_.is_object() && value.is_object()) {
        element_.clear();
        return element_;
      }
      return element_ = std::move(value);
    }
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
    hand_over();
    return true;
  }

  void open(Json&& container) {
    if (open_.size() == kMaxDepth) fail("{}: nested deeper than {} levels", source_, kMaxDepth);
    open_.push_back(&place(std::move(container)));
  }

  // A value has ended: if it is an element of a stream, it goes where that leads.
  void hand_over() {
    if (open_.empty() || open_.back() != nullptr) return;
    if (stream_->use) stream_->use(element_, index_);
    ++index_;
  }

  std::string_view text_, source_;
  const JsonReading& how_;
  Json root_;
  size_t values_ = 0;  // of the root, or of the element that is being read
  // From the outermost to the innermost value that has not ended; null for an array that is streamed. None of them
  // moves: its parent grows no further until it has ended.
  std::vector<Json*> open_;
  std::vector<Keys> keys_;  // of the open objects
  std::string key_;         // of the member whose value comes next

  const JsonStream* stream_ = nullptr;  // while its array is open
  Json element_;
  size_t index_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, std::string_view source, const JsonReading& how) {
  Builder builder(text, source, how);
  VANTAGE_CHECK(Json::sax_parse(text, &builder));  // what is wrong with the text is thrown by parse_error()
  return builder.take();
}

Json json_number(double value) {
  const bool is_whole = std::abs(value) < 0x1p53 && std::trunc(value) == value;
  return is_whole ? Json(static_cast<int64_t>(value)) : Json(value);
}

std::string json_excerpt(const Json& value) {
  constexpr size_t kMaxLength = 60;
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);  // ASCII only, so any cut is clean
  if (text.size() > kMaxLength) text = text.substr(0, kMaxLength) + "...";
  return text;
}

std::string json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_text(const Json& value) {
  return value.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vantage
