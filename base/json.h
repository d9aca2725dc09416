// Reading JSON that people or other machines wrote. Stricter than the JSON library's defaults: duplicate keys,
// deep nesting and trailing text are refused, and every error names the source, the line and the column. What an object
// must hold is read with base/json_object.h.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_fwd.h"

namespace vantage {

// Parses `text`; `source` (a file name) begins every message. Throws Error.
Json parse_json(std::string_view text, std::string_view source);

// A JSON value as one short line for an error message.
std::string json_excerpt(const Json& value);

// A JSON value as indented text for a person or a program; bytes that are no UTF-8 are replaced.
std::string json_text(const Json& value);

}  // namespace vantage
