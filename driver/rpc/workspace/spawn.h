// Starting a process that holds devices for a server.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace vantage::rpc {

// Starts the program with these arguments and these of this process's files, which it has from kChannelFile on; of
// others it has standard error alone. It has a process group of its own: signals of a terminal are not for it. Throws
// ServerError.
pid_t spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            const std::vector<int>& files);

}  // namespace vantage::rpc
