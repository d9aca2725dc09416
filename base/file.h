// Whole files in and out. Reading is bounded, so that a wrong path cannot exhaust memory; writing is atomic, so that
// no one ever finds half a file under its name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/open_file.h"
#include "base/units.h"

namespace vantage {

// The file's bytes. Throws Error when it cannot be read or is larger than `limit`.
std::string read_file(const std::filesystem::path& path, Bytes limit);

// The same from a file that is open, at its begin; `path` names it.
std::string read_open_file(const OpenFile& file, const std::filesystem::path& path, Bytes limit);

// Replaces `path` by `contents` in one step (a temporary file in the same folder, then a rename), keeping the mode of
// what was there; it holds even after the power went. Throws Error.
void write_file(const std::filesystem::path& path, std::string_view contents);

// Throws Error now if write_file(path, ...) could not work later: callers check before they compute. Looked at are the
// file behind symbolic links, if there is one, and its folder.
void require_writable(const std::filesystem::path& path);

// The same for NewFile (base/temporary.h), which needs a name that is free or a plain file's: a device cannot be
// replaced.
void require_new_file(const std::filesystem::path& path);

// Throws Error now if a directory of this name could not be created later; one that exists is never overwritten.
void require_new_directory(const std::filesystem::path& path);

// The file that write_file replaces: through a symbolic link the one that it names, even where there is none yet.
std::filesystem::path file_behind_links(std::filesystem::path path);

// `path` with a random end, for what is made first and then renamed.
std::filesystem::path unused_name_beside(const std::filesystem::path& path);

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace vantage
