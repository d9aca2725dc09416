#include "compiler/schedule/known_names.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace vantage::schedule {

namespace {

bool is_one_of(const std::string& word, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

}  // namespace

const std::vector<std::string>& known_scopes() {
  static const std::vector<std::string> kNames = {"global", "shared",  "shared.swizzled", "warp",   "warpgroup",
                                                  "local",  "vta.inp", "vta.wgt",         "vta.acc"};
  return kNames;
}

const std::vector<std::string>& known_pragmas() {
  static const std::vector<std::string> kNames = {"dma_copy"};
  return kNames;
}

const std::vector<std::string>& known_notes() {
  static const std::vector<std::string> kNames = {
      "pragma_dma_copy",      "double_buffer", "storage_align_axis", "storage_align_factor",
      "storage_align_offset", "staggered",     "pipeline_stages",    "apart"};
  return kNames;
}

void require_scope(std::string_view primitive, const std::string& scope) {
  if (is_one_of(scope, known_scopes())) return;
  fail("{}: no target has a memory '{}'{}", primitive, scope, did_you_mean(scope, known_scopes()));
}

void require_pragma(const std::string& key) {
  if (is_one_of(key, known_pragmas())) return;
  fail("pragma: no pass knows '{}'{}", key, did_you_mean(key, known_pragmas()));
}

void require_note(const std::string& key) {
  if (key.starts_with(kUserNote) || is_one_of(key, known_notes())) return;
  fail("annotate: no pass reads '{}', and it is no note of your own, which begins with '{}'{}", key, kUserNote,
       did_you_mean(key, known_notes()));
}

}  // namespace vantage::schedule
