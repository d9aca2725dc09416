// Reading JSON that people or other machines wrote. Stricter than the JSON library's defaults: duplicate keys,
// deep nesting and trailing text are refused, and every error names the source, the line and the column. What an object
// must hold is read with base/json_object.h.
//
// Parsing takes time in proportion to the text. The value that it gives has at most kMaxJsonValues values, which take
// some 100 bytes each beside the text's own strings; the elements of arrays that may have more are streamed.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"

namespace vantage {

inline constexpr size_t kMaxJsonValues = size_t{1} << 18;

// An array of any length, under a key of the text's outermost object: each element is handed over as soon as it is
// read, and then forgotten. The value that parsing gives has an empty array in its place.
struct JsonStream {
  std::string key;
  std::function<void(const Json& element, size_t index)> use;  // null: the elements are passed over
};

struct JsonReading {
  std::vector<JsonStream> streams = {};
  // Called where a stream begins, with the outermost object as far as it was read.
  std::function<void(const Json& so_far)> before_stream = {};
  size_t max_values = kMaxJsonValues;  // of the value that parsing gives, and of each element of a stream
  std::stop_token stop = {};
};

// Parses `text`; `source` (a file name) begins every message. Throws Error, and Stopped (base/stop.h) when told to
// stop.
Json parse_json(std::string_view text, std::string_view source, const JsonReading& how = {});

// A number without a point where it is whole.
Json json_number(double value);

// A JSON value as one short line for an error message.
std::string json_excerpt(const Json& value);

// A JSON value as one line, whatever its length; bytes that are no UTF-8 are replaced.
std::string json_line(const Json& value);

// A JSON value as indented text for a person or a program; bytes that are no UTF-8 are replaced.
std::string json_text(const Json& value);

}  // namespace vantage
