#include "base/error.h"

namespace vantage {

void fail_with(fmt::string_view format, fmt::format_args arguments) {
  throw Error(fmt::vformat(format, arguments));
}

void internal_check_failed(const char* condition, const char* file, int line) {
  throw InternalError(fmt::format("internal check failed: {} ({}:{}); please report this with the command you ran",
                                  condition, file, line));
}

}  // namespace vantage
