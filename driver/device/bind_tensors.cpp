#include "driver/device/bind_tensors.h"

#include <set>
#include <string_view>

#include "base/error.h"

namespace vantage::driver {

std::vector<const Buffer*> bind_tensors(const Program& program, const std::map<std::string, const Buffer*>& buffers) {
  std::vector<const Buffer*> bound;
  std::set<std::string_view> names;
  for (uint32_t i = 0; i < program.tensors.size(); ++i) {
    const ProgramTensor& tensor = program.tensors[i];
    const auto it = buffers.find(tensor.name);
    if (it == buffers.end()) fail("no buffer was given for the tensor {}", tensor.name);
    if (it->second->size() < program.symbol_size(i)) {
      fail("the tensor {} has {} bytes, its buffer {}", tensor.name, program.symbol_size(i).count(),
           it->second->size().count());
    }
    bound.push_back(it->second);
    names.insert(tensor.name);
  }
  for (const auto& [name, buffer] : buffers) {
    if (names.count(name) == 0) program.tensor_index(name);  // refuses it
  }
  return bound;
}

}  // namespace vantage::driver
