#include "driver/device/accelerator.h"

#include "base/error.h"
#include "driver/device/bind_tensors.h"

namespace vantage::driver {

std::unique_ptr<LoadedProgram> Accelerator::load(const Program& program, const std::vector<const Buffer*>& tensors,
                                                 const std::stop_token& stop) {
  VANTAGE_CHECK(tensors.size() == program.tensors.size());
  return load_in_order(program, tensors, stop);
}

std::unique_ptr<LoadedProgram> Accelerator::load(const Program& program,
                                                 const std::map<std::string, const Buffer*>& tensors,
                                                 const std::stop_token& stop) {
  return load_in_order(program, bind_tensors(program, tensors), stop);
}

std::unique_ptr<LoadedProgram> Accelerator::load_in_order(const Program& program,
                                                          const std::vector<const Buffer*>& tensors,
                                                          const std::stop_token& stop) {
  return load_into_memory(*this, program, tensors, stop);
}

}  // namespace vantage::driver
