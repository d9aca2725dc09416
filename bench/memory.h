// How much memory this process has.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace vantage::bench {

// Now, in MB.
inline double resident_mb() {
  uint64_t whole = 0, resident = 0;  // pages
  std::ifstream("/proc/self/statm") >> whole >> resident;
  return 1e-6 * static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The most that it has had, in MB.
inline double most_resident_mb() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return 1e-6 * 1024 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace vantage::bench
