// Compiled functions in a folder: a shared library, library.so, with an entry point for each function (abi.h), and
// manifest.json, which says what it is, what it was made for, and what the functions take; beside them functions.tir,
// the text that its debug information refers to. What has no manifest, is not what its manifest says, or may have been
// written by another user than this one and root is not loaded: code runs as soon as a library is opened.
//
//   Library library = load_library("matmul");
//   library.find("matmul")({&a, &b, &c}, workers.runtime());
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "native/externals.h"
#include "native/function.h"

namespace vantage::native {

inline constexpr std::string_view kLibraryFile = "library.so";
inline constexpr std::string_view kManifestFile = "manifest.json";

// What manifest.json says.
struct Manifest {
  // A function of the user's that the library calls, as describe() of it says.
  struct Call {
    std::string name, type;
  };

  std::string triple;                  // "x86_64-pc-linux-gnu"
  std::vector<std::string> requires_;  // processor features, as /proc/cpuinfo names them
  std::string sha256;                  // of library.so
  std::vector<Signature> functions;
  std::vector<Call> externals = {};
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

// A library before it is loaded: what is in its folder's files.
struct LibraryImage {
  std::string manifest;  // to_text() of it
  std::string code;
};

// What kind of processor this process runs on, as triples begin: "aarch64".
std::string_view this_architecture();
// Whether a library for this triple is one for processors of this kind.
bool is_for(std::string_view triple, std::string_view architecture);

// `externals` has what the library calls by name, and may have more.
//
// Throws Error, naming the file and what is wrong: no manifest, or a damaged one, a library that is missing or not the
// one that the manifest was written for, one for another kind of processor or for features that this one lacks, files
// that read_trusted_file refuses (base/trusted_file.h), functions among `externals` that are missing (all of these are
// listed), have another type, or are not those that the same library got when it was loaded before. What is checked is
// what is loaded, whatever happens to the files meanwhile. The code stays in memory until the process ends.
Library load_library(const std::filesystem::path& folder, const Externals& externals = {});
// The same of what is not in a folder, or no longer: `source` begins every message, and whoever calls knows that the
// bytes may be trusted.
Library load_library(const LibraryImage& image, const std::string& source, const Externals& externals = {});

}  // namespace vantage::native
