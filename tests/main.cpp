// Catch2 version 2 wants one file to define main(); version 3 brings a library that has it.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
