// Where the tool finds what belongs to it. The folder that it was installed to has the same places as the one that it
// was built in, so that nothing of it names either:
//
//   PREFIX/bin/vantage            the tool (in a folder of the build: cli/vantage)
//   PREFIX/libexec/vantage/       programs that it starts, and libraries that it loads when it needs them
//   PREFIX/share/vantage/         configurations, boards, bitstreams, examples
#pragma once

#include <filesystem>
#include <string_view>

namespace vantage {

// $VANTAGE_ROOT, or PREFIX/share/vantage. It need not be there.
std::filesystem::path data_folder();

// PREFIX/libexec/vantage/NAME. Throws Error when it is missing.
std::filesystem::path installed_helper(std::string_view name);

}  // namespace vantage
