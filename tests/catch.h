// Catch2, version 2 or 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& text) {
  return Catch::Matchers::Contains(text);
}
#endif

#include <string>

#include "base/error.h"

// Runs `expression`, which must throw vantage::Error, and gives its message.
#define ERROR_OF(expression)                     \
  [&]() -> std::string {                         \
    try {                                        \
      (void)(expression);                        \
    } catch (const vantage::Error& error) {      \
      return error.what();                       \
    }                                            \
    FAIL("no Error was thrown by " #expression); \
    return {};                                   \
  }()
