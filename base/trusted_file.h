// Files that decide what this process runs: libraries, and the notes that vouch for them. Whoever may write such a file
// may run code as this user.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/units.h"

namespace vantage {

// The file's bytes. It is opened once, and everything is looked at through that descriptor, so that nothing can be put
// in its place in between. Throws Error that names it unless it is a plain file and no symbolic link, belongs to this
// user or to root, may be written by nobody else, and is not larger than `limit`.
std::string read_trusted_file(const std::filesystem::path& path, Bytes limit);

// Puts a file in place, or what it holds anew, in one step that holds even after the power went; read_trusted_file()
// takes it. Meanwhile it is written beside it, as PATH.new: what a process that was killed left there goes. Throws
// Error. REQUIRES: nobody else writes it at the same time, by a lock or because the folder is this caller's.
void write_trusted_file(const std::filesystem::path& path, std::string_view contents);

}  // namespace vantage
