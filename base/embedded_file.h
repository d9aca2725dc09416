// A file of the source tree that travels inside a library (cmake/embed.cmake).
#pragma once

#include <string>
#include <vector>

namespace vantage {

struct EmbeddedFile {
  std::string name;  // without its folder
  std::string text;
};
using EmbeddedFiles = std::vector<EmbeddedFile>;

}  // namespace vantage
