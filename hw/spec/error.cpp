#include "hw/spec/error.h"

namespace vantage {

void internal_check_failed(const char* condition, const char* file, int line) {
  throw InternalError(fmt::format("internal check failed: {} ({}:{}); please report this with the command you ran",
                                  condition, file, line));
}

}  // namespace vantage
