// Networks in ONNX files, as graphs.
//
//   const graph::Graph model = onnx_models::import_model("mobilenet.onnx");
//
// Sizes must be known: symbols ("batch") are given values, and inputs that say how large something is are given as
// constants; an input without elements is none. What depends on constants alone is computed while it is read.
// Everything is checked, and nothing of a file is believed: it may come from anywhere.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "compiler/graph/graph.h"

namespace vantage::onnx_models {

struct ImportOptions {
  std::map<std::string, int64_t, std::less<>> sizes = {};         // of symbols
  std::map<std::string, Tensor::Shape, std::less<>> shapes = {};  // of inputs, whatever the file says
  std::map<std::string, Tensor, std::less<>> constants = {};      // inputs that are no longer any
};

// Throws Error, naming file, node or tensor, and what to do: for what is no ONNX file, or a part of one; for sizes that
// are not known, with the option that gives them; for operators that there are not, with the nearest; for values of
// another type or shape than the file says; for data beside the file that is missing or lies elsewhere.
graph::Graph import_model(const std::filesystem::path& file, const ImportOptions& options = {});
// The same of a file's bytes, with `folder` for data beside it, and `source` in messages.
graph::Graph import_model(std::string_view bytes, std::string_view source, const std::filesystem::path& folder,
                          const ImportOptions& options = {});

}  // namespace vantage::onnx_models
