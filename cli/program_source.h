// Programs from wherever people have them: a program file, assembly text, or a replay bundle.
#pragma once

#include <string>
#include <variant>

#include "hw/program/bundle.h"
#include "hw/program/program.h"

namespace vantage::cli {

// What a file of a program, or its text, may have.
inline constexpr Bytes kLargestProgram{256 << 20};

// A directory is a bundle, a file that begins as a program file is one, anything else is assembly; "-" is what comes on
// standard input. Throws Error.
std::variant<Program, Bundle> load_program_source(const std::string& path);

// All that comes. Throws Error for more than kLargestProgram.
std::string read_standard_input();

}  // namespace vantage::cli
