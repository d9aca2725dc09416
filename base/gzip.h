// Files that gzip packed, and packing bytes in the same way.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/units.h"

namespace vantage {

// The file's bytes through gunzip; those of a file that is not packed as they are. `limit` bounds what comes out, so
// that a small hostile file cannot expand without end. Throws Error.
std::string read_gzip_file(const std::filesystem::path& path, Bytes limit);

// The first `size` bytes of what comes out of gunzip, or all there are; the rest is not looked at. Throws Error.
std::string read_gzip_prefix(const std::filesystem::path& path, Bytes size);

// `contents` as a gzip member, with no name and no time stamp: the same bytes give the same file. REQUIRES: less than
// 4 GiB.
std::string gzip(std::string_view contents);

}  // namespace vantage
