#include "workload/traffic.h"

namespace vantage::workload {

using isa::Memory;

Traffic moved(const isa::Counters& c) {
  return {c.inp_load_nbytes, c.wgt_load_nbytes, c.acc_load_nbytes, c.uop_load_nbytes, c.out_store_nbytes};
}

Traffic least_traffic(const Program& program) {
  Traffic least;
  for (uint32_t i = 0; i < program.tensors.size(); ++i) {
    const uint64_t bytes = program.symbol_size(i).count();
    switch (program.tensors[i].memory) {
      case Memory::kUop: break;
      case Memory::kWgt: least.weights += bytes; break;
      case Memory::kInp: least.inputs += bytes; break;
      case Memory::kAcc:
      case Memory::kAcc8: least.accumulators += bytes; break;
      case Memory::kOut: least.outputs += bytes; break;
    }
  }
  return least;
}

}  // namespace vantage::workload
