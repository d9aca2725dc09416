// Which Vantage this is.
#pragma once

#include <string>

namespace vantage::cli {

// "0.1.0": CMake's project(VERSION).
std::string version();

// The commit that it was built from, abbreviated; empty where that is not known. Made by cmake/commit.cmake.
std::string commit();

// Both, for who must know which programs a build finds: "0.1.0 8328e5c".
std::string full_version();

// The page of --version: the version; the commit, where it was built from a repository; the parts that it has.
std::string version_page();

}  // namespace vantage::cli
