// Graphs as text, for people and for tests: the same graph always prints the same, and what is printed is read back.
//
//   graph small(%x: float32[1, 3, 8, 8]) {
//     %w = constant float32[4, 3, 3, 3]
//     %half = constant float32[1] {0.5}
//     %conv2d = conv2d(%x, %w, padding=[1, 1, 1, 1]) : float32[1, 4, 8, 8]
//     %multiply = multiply(%conv2d, %half) : float32[1, 4, 8, 8]
//     return %multiply
//   }
//
// Functions that a graph calls stand before it, each once, and are called like @conv2d_relu(%x, %w). One that has a
// device says so: graph conv2d_relu(...) on vta {.
//
// Attributes that have their standard value are left out. Constants of up to kMostPrinted elements are printed whole;
// of others the text has the type, and whoever reads it has their values by name. An output of a node of several is
// %split:1. Types behind calls are for the reader: they may be left out, and are checked where they are there.
//
// Thread safety: functions without state.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "compiler/graph/graph.h"

namespace vantage::graph {

inline constexpr int64_t kMostPrinted = 16;

std::string to_text(const Graph& graph);

using Constants = std::map<std::string, std::shared_ptr<const Tensor>, std::less<>>;
// Those that the text leaves out, by their names.
Constants constants(const Graph& graph);

// Throws Error for what is no graph: source, line and column, what was expected there, and what is there; for what its
// operators refuse; and for a constant that is neither in the text nor in `constants`, or there with another type.
Graph parse_graph(std::string_view text, std::string_view source, const Constants& constants = {});

}  // namespace vantage::graph
