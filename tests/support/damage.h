// Ways in which a file may be other than it was when it was written: by accident, or by somebody else.
#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace vantage::test {

// Does one of them to a file of at least a few bytes, chosen at random: cut off, lengthened, a bit flipped, zeroed in
// part, emptied, text, gone, a link, a pipe, a folder, writable by others or another user's. Returns what was done.
// What a file says is different afterwards, or nobody may trust it.
std::string damage(const std::filesystem::path& file, std::mt19937_64& random);

// A program's file with the checksum that its bytes have: changed by somebody who knows the format.
std::string with_checksum(std::string program_file);

}  // namespace vantage::test
