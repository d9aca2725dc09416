// --input and --output of networks: files by the names of tensors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "network/network.h"

namespace CLI {
class App;
}

namespace vantage::cli {

// What options of the form FILE, where there is one tensor, or NAME=FILE say: files by tensors' names. Throws Error for
// a tensor that there is not, one that is named twice, and a file without a name where there are several.
std::map<std::string, std::string> files_of(const char* option, const std::vector<std::string>& given,
                                            const std::vector<std::string>& names);

// Throws Error, which begins with `what`, unless all floats are finite; `remedy` is what else would do.
void require_finite(const std::string& what, const Tensor& value, const std::string& remedy = "");

struct TensorFiles {
  std::vector<std::string> inputs, outputs;  // FILE or NAME=FILE

  void add_to(CLI::App& app);

  // What the files hold, by input. Throws Error for an input that there is not, one that is named twice, a file without
  // a name where there are several inputs, and one of another type.
  NetworkInputs read_inputs(const Network& network) const;
  // The files by output, each of which can be written. Throws Error likewise.
  std::map<std::string, std::string> files_of_outputs(const Network& network) const;
};

}  // namespace vantage::cli
