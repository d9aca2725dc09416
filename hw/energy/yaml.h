// YAML as a JSON value, so that what reads JSON reads it: mappings, sequences and scalars of one document. Scalars are
// numbers, booleans and null where the core schema of YAML 1.2 says so, unless they are quoted. Anchors, aliases and
// tags, which tables do not need, are refused, and so are keys that are there twice.
//
// Thread safety: a function without state.
#pragma once

#include <string_view>

#include "base/json.h"

namespace vantage::energy {

// `source` begins every message. Throws Error with line and column; also for more than kMaxJsonValues values, and for
// what is nested deeper than 100.
Json parse_yaml(std::string_view text, std::string_view source);

}  // namespace vantage::energy
