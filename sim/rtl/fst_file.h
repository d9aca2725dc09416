// A look at waveform files in the format FST, as GTKWave reads them.
#pragma once

#include <filesystem>

namespace vantage::sim {

// Whether the file's blocks follow each other to its end, as they do unless writing broke off: each begins with a byte
// for its kind and 8 for its length without that byte, most significant first (GTKWave's fstapi).
bool is_whole_fst(const std::filesystem::path& path);

}  // namespace vantage::sim
