// Programs from wherever people have them: a program file, assembly text, or a replay bundle.
#pragma once

#include <string>
#include <variant>

#include "hw/program/bundle.h"
#include "hw/program/program.h"

namespace vantage::cli {

// A directory is a bundle, a file that begins as a program file is one, anything else is assembly. Throws Error.
std::variant<Program, Bundle> load_program_source(const std::string& path);

}  // namespace vantage::cli
