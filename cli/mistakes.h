// What is said to a mistyped command line.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace vantage::cli {

// The message for what the parser refused: a command or an option that does not exist with the nearest one, or with
// those who have it; anything else in the parser's words, with where to read more.
std::string explain(const CLI::App& root, const CLI::ParseError& error);

// "unknown command 'gem'; did you mean 'gemm'?", for a word behind a group of commands.
std::string unknown_command(const CLI::App& group, const std::string& word);

}  // namespace vantage::cli
