// Compiled functions in a folder: a shared library, library.so, with an entry point for each function (abi.h), and
// manifest.json, which says what it is, what it was made for, and what the functions take; beside them functions.tir,
// the text that its debug information refers to. What has no manifest, or is
// not what its manifest says, is not loaded: code runs as soon as a library is opened.
//
//   Library library = load_library("matmul");
//   library.find("matmul")({&a, &b, &c}, workers.runtime());
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "native/function.h"

namespace vantage::native {

inline constexpr std::string_view kLibraryFile = "library.so";
inline constexpr std::string_view kManifestFile = "manifest.json";

// A text in the library.
inline constexpr const char* kBuildSymbol = "vantage_build";

// What manifest.json says.
struct Manifest {
  std::string triple;                  // "x86_64-pc-linux-gnu"
  std::vector<std::string> requires_;  // processor features, as /proc/cpuinfo names them
  std::string build;                   // what the library says of itself under kBuildSymbol
  std::string sha256;                  // of library.so
  std::vector<Signature> functions;
};

std::string to_text(const Manifest& manifest);
// `source` begins every message. Throws Error for text that is no manifest, or one of another version.
Manifest parse_manifest(std::string_view text, const std::string& source);

struct Library {
  Manifest manifest;
  std::vector<Function> functions;

  // Throws Error that lists the functions there are.
  const Function& find(std::string_view name) const;
};

// Throws Error, naming the file and what is wrong: no manifest, a library that is missing or not the one that the
// manifest was written for, an older one of this path that is still loaded, one for another kind of processor or for
// features that this one lacks. The code stays in memory for as long as any copy of any of the functions.
Library load_library(const std::filesystem::path& folder);

}  // namespace vantage::native
