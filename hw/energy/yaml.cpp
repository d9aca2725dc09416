#include "hw/energy/yaml.h"

#include <yaml.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"

namespace vantage::energy {

namespace {

constexpr int kDeepestYaml = 100;

// libyaml's parser, and the event that it stands at.
class YamlEvents {
 public:
  YamlEvents(std::string_view text, std::string_view source) : source_(source) {
    VANTAGE_CHECK(yaml_parser_initialize(&parser_) != 0);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~YamlEvents() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  const yaml_event_t& next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0) {
      event_ = {};
      const yaml_mark_t& at = parser_.problem_mark;
      fail("{}: line {}, column {}: this is no YAML: {}", source_, at.line + 1, at.column + 1,
           parser_.problem != nullptr ? parser_.problem : "it cannot be read");
    }
    return event_;
  }

  const yaml_event_t& event() const { return event_; }

  [[noreturn]] void refuse(std::string_view what) const {
    fail("{}: line {}, column {}: {}", source_, event_.start_mark.line + 1, event_.start_mark.column + 1, what);
  }

 private:
  std::string_view source_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

std::optional<double> yaml_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  // What from_chars would take for a number and YAML does not
  const size_t digit = text.starts_with('-') ? 1 : 0;
  if (digit >= text.size() || (text[digit] != '.' && (text[digit] < '0' || text[digit] > '9'))) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Json plain_scalar(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  uint64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc() && end == text.data() + text.size()) return whole;
  if (const auto number = yaml_number(text)) return *number;
  return std::string(text);
}

class YamlReader {
 public:
  YamlReader(std::string_view text, std::string_view source) : events_(text, source) {}

  Json document() {
    expect(YAML_STREAM_START_EVENT);
    if (events_.next().type != YAML_DOCUMENT_START_EVENT) events_.refuse("the file has nothing in it");
    Json value = this->value(events_.next(), 0);
    expect(YAML_DOCUMENT_END_EVENT);
    if (events_.next().type != YAML_STREAM_END_EVENT) events_.refuse("a second document begins; one is expected");
    return value;
  }

 private:
  void expect(yaml_event_type_t type) { VANTAGE_CHECK(events_.next().type == type); }

  void refuse_names(const yaml_char_t* anchor, const yaml_char_t* tag) const {
    if (anchor != nullptr) events_.refuse("anchors are not read; write the value out");
    if (tag != nullptr) events_.refuse("tags are not read; leave it out");
  }

  Json value(const yaml_event_t& event, int depth) {
    if (depth > kDeepestYaml) events_.refuse("nested too deeply");
    if (++values_ > kMaxJsonValues) events_.refuse("more values than any such file has");
    switch (event.type) {
      case YAML_SCALAR_EVENT: return scalar(event);
      case YAML_SEQUENCE_START_EVENT:
        refuse_names(event.data.sequence_start.anchor, event.data.sequence_start.tag);
        return sequence(depth);
      case YAML_MAPPING_START_EVENT:
        refuse_names(event.data.mapping_start.anchor, event.data.mapping_start.tag);
        return mapping(depth);
      default: events_.refuse("aliases are not read; write the value out");
    }
  }

  Json scalar(const yaml_event_t& event) const {
    const auto& scalar = event.data.scalar;
    refuse_names(scalar.anchor, scalar.tag);
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    return scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain_scalar(text) : Json(std::string(text));
  }

  Json sequence(int depth) {
    Json list = Json::array();
    while (events_.next().type != YAML_SEQUENCE_END_EVENT) list.push_back(value(current(), depth + 1));
    return list;
  }

  Json mapping(int depth) {
    Json object = Json::object();
    while (events_.next().type != YAML_MAPPING_END_EVENT) {
      if (current().type != YAML_SCALAR_EVENT) events_.refuse("a key is expected to be a word");
      const auto& scalar = current().data.scalar;
      refuse_names(scalar.anchor, scalar.tag);
      std::string key(reinterpret_cast<const char*>(scalar.value), scalar.length);
      if (object.contains(key)) events_.refuse(fmt::format("the key {} is there twice", json_excerpt(key)));
      object[std::move(key)] = value(events_.next(), depth + 1);
    }
    return object;
  }

  const yaml_event_t& current() const { return events_.event(); }

  YamlEvents events_;
  size_t values_ = 0;
};

}  // namespace

Json parse_yaml(std::string_view text, std::string_view source) {
  return YamlReader(text, source).document();
}

}  // namespace vantage::energy
