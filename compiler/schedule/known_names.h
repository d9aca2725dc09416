// The names that a schedule gives to memories and to notes for later passes, of all targets. One that nobody knows is
// a slip of the pen, which would change nothing and say nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vantage::schedule {

// Scopes of buffers; keys of pragmas, without "pragma_"; keys of notes that a pass reads.
const std::vector<std::string>& known_scopes();
const std::vector<std::string>& known_pragmas();
const std::vector<std::string>& known_notes();

// People's own notes begin so; no pass reads them.
inline constexpr std::string_view kUserNote = "user.";

// Each throws Error, beginning with the primitive's name, with what may have been meant.
void require_scope(std::string_view primitive, const std::string& scope);
void require_pragma(const std::string& key);
void require_note(const std::string& key);

}  // namespace vantage::schedule
