// Reading JSON that people or other machines wrote. Stricter than the JSON library's defaults: duplicate keys,
// deep nesting and trailing text are refused, and every error names the source, the line and the column.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_fwd.h"

namespace vantage {

// Parses `text`; `source` (a file name) begins every message. Throws Error.
Json parse_json(std::string_view text, std::string_view source);

// The member `key` of `object`, which must exist. `where` (say "bundle.json: insn") begins the message. Throws Error.
const Json& json_member(const Json& object, std::string_view key, std::string_view where);

// The same, for a non-negative integer of at most `max`, for a string, and for an array.
uint64_t json_unsigned(const Json& object, std::string_view key, uint64_t max, std::string_view where);
// A value that must be an integer in [min, max]; `what` names it in the message.
int json_integer(const Json& value, std::string_view what, int min, int max);
std::string json_string(const Json& object, std::string_view key, std::string_view where);
const Json& json_array(const Json& object, std::string_view key, std::string_view where);

// A JSON value as one short line for an error message.
std::string json_excerpt(const Json& value);

// A JSON value as indented text for a person or a program; bytes that are no UTF-8 are replaced.
std::string json_text(const Json& value);

}  // namespace vantage
