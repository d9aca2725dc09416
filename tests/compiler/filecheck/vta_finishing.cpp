// What each finishing pass of the VTA's back end makes of a few operations, recorded for it.
#include "compiler/backend/vta/lower.h"
#include "compiler/backend/vta/program_builder.h"
#include "hw/isa/config.h"
#include "tests/compiler/filecheck/ir_case.h"

using namespace vantage;
using namespace vantage::vta;
using isa::Memory;

namespace {

// A recording of the default configuration with a tensor for each memory.
struct Recording {
  Recording() : b(isa::Config::vta_default()) {}
  ProgramBuilder b;
  TensorId x = b.tensor("X", Memory::kInp, 64, TensorRole::kInput);
  TensorId w = b.tensor("W", Memory::kWgt, 8, TensorRole::kInput);
  TensorId y = b.tensor("Y", Memory::kOut, 64, TensorRole::kOutput);
};

// The operations as recorded, or as those before the pass leave them, and behind it.
std::string around(OperationList list, std::string_view name, bool after_those_before = false) {
  for (const FinishingPass& pass : finishing_passes()) {
    if (pass.name == name) {
      const std::string before = to_text(list);
      return "before\n" + before + "after\n" + to_text(pass.run(std::move(list)));
    }
    if (after_those_before) list = pass.run(std::move(list));
  }
  return "there is no such pass";
}

}  // namespace

// X's elements are loaded twice while nothing writes over them, and once more behind something that does.
// CHECK-LABEL: == remove_repeated_loads
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=1 src=1 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=2 src=1 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k0 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[1:2] wgt[0:1], writes acc[1:2]
// CHECK-NEXT: load.inp   sram=1 dram=X+8 y=1 x=1 stride=1                                                          ; reads X[128:144], writes inp[1:2]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k2 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[1:2] wgt[0:1], writes acc[2:3]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=1 src=1 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=2 src=1 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k0 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: gemm       uop=k1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[1:2] wgt[0:1], writes acc[1:2]
// CHECK-NEXT: load.inp   sram=1 dram=X+8 y=1 x=1 stride=1                                                          ; reads X[128:144], writes inp[1:2]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k2 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[1:2] wgt[0:1], writes acc[2:3]
IR_CASE(remove_repeated_loads) {
  Recording r;
  const Tile tile{0, 1, 2, 2};
  r.b.load(0, r.x, tile);
  r.b.gemm({0, 0, 0, {}});
  r.b.load(0, r.x, tile);
  r.b.gemm({1, 1, 0, {}});
  r.b.load(1, r.x, {8, 1, 1, 1});
  r.b.load(0, r.x, tile);
  r.b.gemm({2, 1, 0, {}});
  return around(r.b.operations(), "remove_repeated_loads");
}

// What two loads brought is asked for by one.
// CHECK-LABEL: == remove_loads_of_pieces
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=1 src=0 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: load.inp   sram=2 dram=X+2 y=1 x=2 stride=2                                                          ; reads X[32:64], writes inp[2:4]
// CHECK-NEXT: gemm       uop=k0 out=1 in=4 dst=0,0 src=0,1 wgt=0,0                                                 ; reads inp[0:4] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=4 stride=4                                                          ; reads X[0:64], writes inp[0:4]
// CHECK-NEXT: gemm       uop=k1 out=1 in=4 dst=0,0 src=0,1 wgt=0,0                                                 ; reads inp[0:4] wgt[0:1], writes acc[1:2]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=1 src=0 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: load.inp   sram=2 dram=X+2 y=1 x=2 stride=2                                                          ; reads X[32:64], writes inp[2:4]
// CHECK-NEXT: gemm       uop=k0 out=1 in=4 dst=0,0 src=0,1 wgt=0,0                                                 ; reads inp[0:4] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: gemm       uop=k1 out=1 in=4 dst=0,0 src=0,1 wgt=0,0                                                 ; reads inp[0:4] wgt[0:1], writes acc[1:2]
IR_CASE(remove_loads_of_pieces) {
  Recording r;
  r.b.load(0, r.x, {0, 1, 2, 2});
  r.b.load(2, r.x, {2, 1, 2, 2});
  r.b.gemm({0, 0, 0, {{4, 0, 1, 0}}});
  r.b.load(0, r.x, {0, 1, 4, 4});
  r.b.gemm({1, 0, 0, {{4, 0, 1, 0}}});
  return around(r.b.operations(), "remove_repeated_loads");
}

// The first load is overwritten before anyone reads it, the last one is read by nobody.
// CHECK-LABEL: == remove_dead_loads
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: load.inp   sram=0 dram=X+2 y=1 x=2 stride=2                                                          ; reads X[32:64], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k0 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[0:2] wgt[0:1], writes acc[0:2]
// CHECK-NEXT: load.inp   sram=0 dram=X+4 y=1 x=2 stride=2                                                          ; reads X[64:96], writes inp[0:2]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+2 y=1 x=2 stride=2                                                          ; reads X[32:64], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k0 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[0:2] wgt[0:1], writes acc[0:2]
IR_CASE(remove_dead_loads) {
  Recording r;
  r.b.load(0, r.x, {0, 1, 2, 2});
  r.b.load(0, r.x, {2, 1, 2, 2});
  r.b.gemm({0, 0, 0, {{2, 1, 1, 0}}});
  r.b.load(0, r.x, {4, 1, 2, 2});
  return around(r.b.operations(), "remove_dead_loads");
}

// The sums at 1024 wait for their reset; the epilogue of those at 0 need not wait behind them.
// CHECK-LABEL: == epilogues_first
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm.reset
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=1024 src=1 wgt=0
// CHECK-NEXT: .kernel k3 alu.shr.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k4 alu.max.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: gemm       uop=k0 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: gemm.reset uop=k1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; writes acc[1024:1025]
// CHECK-NEXT: load.inp   sram=1 dram=X+8 y=1 x=1 stride=1                                                          ; reads X[128:144], writes inp[1:2]
// CHECK-NEXT: gemm       uop=k2 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[1:2] wgt[0:1], writes acc[1024:1025]
// CHECK-NEXT: alu.shr    uop=k3 out=1 in=1 dst=0,0 src=0,0 imm=8                                                   ; writes acc[0:1]
// CHECK-NEXT: alu.max    uop=k4 out=1 in=1 dst=0,0 src=0,0 imm=0                                                   ; writes acc[0:1]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm.reset
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=1024 src=1 wgt=0
// CHECK-NEXT: .kernel k3 alu.shr.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k4 alu.max.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: gemm       uop=k0 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: gemm.reset uop=k1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; writes acc[1024:1025]
// CHECK-NEXT: load.inp   sram=1 dram=X+8 y=1 x=1 stride=1                                                          ; reads X[128:144], writes inp[1:2]
// CHECK-NEXT: alu.shr    uop=k3 out=1 in=1 dst=0,0 src=0,0 imm=8                                                   ; writes acc[0:1]
// CHECK-NEXT: gemm       uop=k2 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[1:2] wgt[0:1], writes acc[1024:1025]
// CHECK-NEXT: alu.max    uop=k4 out=1 in=1 dst=0,0 src=0,0 imm=0                                                   ; writes acc[0:1]
IR_CASE(epilogues_first) {
  Recording r;
  r.b.gemm({0, 0, 0, {}});
  r.b.reset({1024, 0, 0, {}});
  r.b.load(1, r.x, {8, 1, 1, 1});
  r.b.gemm({1024, 1, 0, {}});
  r.b.alu(isa::AluOp::kShr, {0, 0, 0, {}}, 8);
  r.b.alu(isa::AluOp::kMax, {0, 0, 0, {}}, 0);
  return around(r.b.operations(), "epilogues_first");
}

// While one thread sums two chunks, the other's epilogue stands between them; resets come first of all, then last.
// CHECK-LABEL: == staggered_threads
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm.reset
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=0 src=2 wgt=0
// CHECK-NEXT: .kernel k3 alu.shr.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k4 gemm.reset
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: .kernel k5 gemm
// CHECK-NEXT:   .uop dst=1024 src=1024 wgt=0
// CHECK-NEXT: .kernel k6 gemm
// CHECK-NEXT:   .uop dst=1024 src=1026 wgt=0
// CHECK-NEXT: .kernel k7 alu.shr.imm
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: gemm.reset uop=k0 out=1 in=2 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[0:2]
// CHECK-NEXT: gemm.reset uop=k4 out=1 in=2 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[1024:1026]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k1 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[0:2] wgt[0:1], writes acc[0:2]
// CHECK-NEXT: load.inp   sram=2 dram=X+2 y=1 x=2 stride=2                                                          ; reads X[32:64], writes inp[2:4]
// CHECK-NEXT: gemm       uop=k2 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[2:4] wgt[0:1], writes acc[0:2]
// CHECK-NEXT: load.inp   sram=1024 dram=X+8 y=1 x=2 stride=2                                                       ; reads X[128:160], writes inp[1024:1026]
// CHECK-NEXT: gemm       uop=k5 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[1024:1026] wgt[0:1], writes acc[1024:1026]
// CHECK-NEXT: alu.shr    uop=k3 out=1 in=2 dst=0,1 src=0,0 imm=8                                                   ; writes acc[0:2]
// CHECK-NEXT: load.inp   sram=1026 dram=X+10 y=1 x=2 stride=2                                                      ; reads X[160:192], writes inp[1026:1028]
// CHECK-NEXT: gemm       uop=k6 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[1026:1028] wgt[0:1], writes acc[1024:1026]
// CHECK-NEXT: store.out  sram=0 dram=Y+0 y=1 x=2 stride=2                                                          ; reads acc[0:2], writes Y[0:32]
// CHECK-NEXT: gemm.reset uop=k0 out=1 in=2 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[0:2]
// CHECK-NEXT: load.inp   sram=0 dram=X+4 y=1 x=2 stride=2                                                          ; reads X[64:96], writes inp[0:2]
// CHECK-NEXT: gemm       uop=k1 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[0:2] wgt[0:1], writes acc[0:2]
// CHECK-NEXT: alu.shr    uop=k7 out=1 in=2 dst=0,1 src=0,0 imm=8                                                   ; writes acc[1024:1026]
// CHECK-NEXT: load.inp   sram=2 dram=X+6 y=1 x=2 stride=2                                                          ; reads X[96:128], writes inp[2:4]
// CHECK-NEXT: gemm       uop=k2 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[2:4] wgt[0:1], writes acc[0:2]
// CHECK-NEXT: store.out  sram=1024 dram=Y+8 y=1 x=2 stride=2                                                       ; reads acc[1024:1026], writes Y[128:160]
// CHECK-NEXT: gemm.reset uop=k4 out=1 in=2 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[1024:1026]
// CHECK-NEXT: load.inp   sram=1024 dram=X+12 y=1 x=2 stride=2                                                      ; reads X[192:224], writes inp[1024:1026]
// CHECK-NEXT: gemm       uop=k5 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[1024:1026] wgt[0:1], writes acc[1024:1026]
// CHECK-NEXT: alu.shr    uop=k3 out=1 in=2 dst=0,1 src=0,0 imm=8                                                   ; writes acc[0:2]
// CHECK-NEXT: load.inp   sram=1026 dram=X+14 y=1 x=2 stride=2                                                      ; reads X[224:256], writes inp[1026:1028]
// CHECK-NEXT: gemm       uop=k6 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[1026:1028] wgt[0:1], writes acc[1024:1026]
// CHECK-NEXT: store.out  sram=0 dram=Y+2 y=1 x=2 stride=2                                                          ; reads acc[0:2], writes Y[32:64]
// CHECK-NEXT: alu.shr    uop=k7 out=1 in=2 dst=0,1 src=0,0 imm=8                                                   ; writes acc[1024:1026]
// CHECK-NEXT: store.out  sram=1024 dram=Y+10 y=1 x=2 stride=2                                                      ; reads acc[1024:1026], writes Y[160:192]
IR_CASE(staggered_threads) {
  Recording r;
  r.b.virtual_threads(
      2,
      [&](int thread) {
        const auto t = static_cast<uint32_t>(thread);
        for (uint32_t tile = 0; tile < 2; ++tile) {
          r.b.reset({1024 * t, 0, 0, {{2, 1, 0, 0}}});
          for (uint32_t chunk = 0; chunk < 2; ++chunk) {
            r.b.load(1024 * t + 2 * chunk, r.x, {8 * t + 4 * tile + 2 * chunk, 1, 2, 2});
            r.b.gemm({1024 * t, 1024 * t + 2 * chunk, 0, {{2, 1, 1, 0}}});
          }
          r.b.alu(isa::AluOp::kShr, {1024 * t, 0, 0, {{2, 1, 0, 0}}}, 8);
          r.b.store(r.y, {8 * t + 2 * tile, 1, 2, 2}, 1024 * t);
        }
      },
      ProgramBuilder::ThreadOrder::kStaggered);
  return to_text(r.b.operations());
}

// What only the second GEMM needs is loaded behind the first one.
// CHECK-LABEL: == load_in_order_of_use
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=1 src=0 wgt=1
// CHECK-NEXT: load.wgt   sram=0 dram=W+0 y=1 x=1 stride=1                                                          ; reads W[0:256], writes wgt[0:1]
// CHECK-NEXT: load.wgt   sram=1 dram=W+1 y=1 x=1 stride=1                                                          ; reads W[256:512], writes wgt[1:2]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=1 stride=1                                                          ; reads X[0:16], writes inp[0:1]
// CHECK-NEXT: gemm       uop=k0 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: gemm       uop=k1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[1:2], writes acc[1:2]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=1 src=0 wgt=1
// CHECK-NEXT: load.wgt   sram=0 dram=W+0 y=1 x=1 stride=1                                                          ; reads W[0:256], writes wgt[0:1]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=1 stride=1                                                          ; reads X[0:16], writes inp[0:1]
// CHECK-NEXT: gemm       uop=k0 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: load.wgt   sram=1 dram=W+1 y=1 x=1 stride=1                                                          ; reads W[256:512], writes wgt[1:2]
// CHECK-NEXT: gemm       uop=k1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                 ; reads inp[0:1] wgt[1:2], writes acc[1:2]
IR_CASE(load_in_order_of_use) {
  Recording r;
  r.b.load(0, r.w, {0, 1, 1, 1});
  r.b.load(1, r.w, {1, 1, 1, 1});
  r.b.load(0, r.x, {0, 1, 1, 1});
  r.b.gemm({0, 0, 0, {}});
  r.b.gemm({1, 0, 1, {}});
  return around(r.b.operations(), "load_in_order_of_use");
}

// Two pieces of a row become one, then rows evenly apart become one transfer; a row at another distance does not.
// CHECK-LABEL: == merge_transfers
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: load.inp   sram=2 dram=X+2 y=1 x=2 stride=2                                                          ; reads X[32:64], writes inp[2:4]
// CHECK-NEXT: load.inp   sram=4 dram=X+16 y=1 x=4 stride=4                                                         ; reads X[256:320], writes inp[4:8]
// CHECK-NEXT: load.inp   sram=8 dram=X+32 y=1 x=4 stride=4                                                         ; reads X[512:576], writes inp[8:12]
// CHECK-NEXT: load.inp   sram=12 dram=X+56 y=1 x=4 stride=4                                                        ; reads X[896:960], writes inp[12:16]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=3 x=4 stride=16                                                         ; reads X[0:576], writes inp[0:12]
// CHECK-NEXT: load.inp   sram=12 dram=X+56 y=1 x=4 stride=4                                                        ; reads X[896:960], writes inp[12:16]
IR_CASE(merge_transfers) {
  Recording r;
  r.b.load(0, r.x, {0, 1, 2, 2});
  r.b.load(2, r.x, {2, 1, 2, 2});
  r.b.load(4, r.x, {16, 1, 4, 4});
  r.b.load(8, r.x, {32, 1, 4, 4});
  r.b.load(12, r.x, {56, 1, 4, 4});
  return around(r.b.operations(), "merge_transfers");
}

// Rows a little apart become one load with zeros between them, as nobody needs what lies there.
// CHECK-LABEL: == merge_rows_apart
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: load.inp   sram=3 dram=X+16 y=1 x=2 stride=2                                                         ; reads X[256:288], writes inp[3:5]
// CHECK-NEXT: load.inp   sram=6 dram=X+32 y=1 x=2 stride=2                                                         ; reads X[512:544], writes inp[6:8]
// CHECK-NEXT: gemm       uop=k0 out=3 in=2 dst=1,0 src=3,1 wgt=0,1                                                 ; reads inp[0:2] inp[3:5] inp[6:8] wgt[0:2], writes acc[0:3]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=3 x=2 stride=16 pad=0,0,0,1                                             ; reads X[0:544], writes inp[0:9]
// CHECK-NEXT: gemm       uop=k0 out=3 in=2 dst=1,0 src=3,1 wgt=0,1                                                 ; reads inp[0:2] inp[3:5] inp[6:8] wgt[0:2], writes acc[0:3]
IR_CASE(merge_rows_apart) {
  Recording r;
  r.b.load(0, r.x, {0, 1, 2, 2});
  r.b.load(3, r.x, {16, 1, 2, 2});
  r.b.load(6, r.x, {32, 1, 2, 2});
  r.b.gemm({0, 0, 0, {{3, 1, 3, 0}, {2, 0, 1, 1}}});
  return around(r.b.operations(), "merge_rows_apart");
}

// Here a sum needs what was loaded between the first two.
// CHECK-LABEL: == merge_rows_around_what_is_needed
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=0 src=6 wgt=0
// CHECK-NEXT: load.inp   sram=2 dram=X+8 y=1 x=1 stride=1                                                          ; reads X[128:144], writes inp[2:3]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: load.inp   sram=3 dram=X+16 y=1 x=2 stride=2                                                         ; reads X[256:288], writes inp[3:5]
// CHECK-NEXT: load.inp   sram=6 dram=X+32 y=1 x=2 stride=2                                                         ; reads X[512:544], writes inp[6:8]
// CHECK-NEXT: gemm       uop=k0 out=1 in=5 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[0:5] wgt[0:1], writes acc[0:5]
// CHECK-NEXT: gemm       uop=k1 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[6:8] wgt[0:1], writes acc[0:2]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=0 src=6 wgt=0
// CHECK-NEXT: load.inp   sram=2 dram=X+8 y=1 x=1 stride=1                                                          ; reads X[128:144], writes inp[2:3]
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=2 stride=2                                                          ; reads X[0:32], writes inp[0:2]
// CHECK-NEXT: load.inp   sram=3 dram=X+16 y=2 x=2 stride=16 pad=0,0,0,1                                            ; reads X[256:544], writes inp[3:9]
// CHECK-NEXT: gemm       uop=k0 out=1 in=5 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[0:5] wgt[0:1], writes acc[0:5]
// CHECK-NEXT: gemm       uop=k1 out=1 in=2 dst=0,1 src=0,1 wgt=0,0                                                 ; reads inp[6:8] wgt[0:1], writes acc[0:2]
IR_CASE(merge_rows_around_what_is_needed) {
  Recording r;
  r.b.load(2, r.x, {8, 1, 1, 1});
  r.b.load(0, r.x, {0, 1, 2, 2});
  r.b.load(3, r.x, {16, 1, 2, 2});
  r.b.load(6, r.x, {32, 1, 2, 2});
  r.b.gemm({0, 0, 0, {{5, 1, 1, 0}}});
  r.b.gemm({0, 6, 0, {{2, 1, 1, 0}}});
  return around(r.b.operations(), "merge_rows_apart");
}

// Of twelve biases, what the second tile adds comes before its reset, behind the sums of the first.
// CHECK-LABEL: == load_vectors_in_pieces
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .tensor bias acc 12 input
// CHECK-NEXT: .kernel k0 gemm.reset
// CHECK-NEXT:   .uop dst=16 src=0 wgt=0
// CHECK-NEXT: .kernel k1 alu.add
// CHECK-NEXT:   .uop dst=16 src=0 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=16 src=0 wgt=0
// CHECK-NEXT: .kernel k3 gemm.reset
// CHECK-NEXT:   .uop dst=22 src=0 wgt=0
// CHECK-NEXT: .kernel k4 alu.add
// CHECK-NEXT:   .uop dst=22 src=6 wgt=0
// CHECK-NEXT: .kernel k5 gemm
// CHECK-NEXT:   .uop dst=22 src=6 wgt=0
// CHECK-NEXT: load.acc   sram=0 dram=bias+0 y=1 x=12 stride=12                                                     ; reads bias[0:768], writes acc[0:12]
// CHECK-NEXT: gemm.reset uop=k0 out=1 in=6 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[16:22]
// CHECK-NEXT: alu.add    uop=k1 out=1 in=6 dst=0,1 src=0,1                                                         ; reads acc[0:6], writes acc[16:22]
// CHECK-NEXT: gemm       uop=k2 out=6 in=4 dst=1,0 src=1,0 wgt=0,1                                                 ; reads inp[0:6] wgt[0:4], writes acc[16:22]
// CHECK-NEXT: gemm.reset uop=k3 out=1 in=6 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[22:28]
// CHECK-NEXT: alu.add    uop=k4 out=1 in=6 dst=0,1 src=0,1                                                         ; reads acc[6:12], writes acc[22:28]
// CHECK-NEXT: gemm       uop=k5 out=6 in=4 dst=1,0 src=1,0 wgt=0,1                                                 ; reads inp[6:12] wgt[0:4], writes acc[22:28]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .tensor bias acc 12 input
// CHECK-NEXT: .kernel k0 gemm.reset
// CHECK-NEXT:   .uop dst=16 src=0 wgt=0
// CHECK-NEXT: .kernel k1 alu.add
// CHECK-NEXT:   .uop dst=16 src=0 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=16 src=0 wgt=0
// CHECK-NEXT: .kernel k3 gemm.reset
// CHECK-NEXT:   .uop dst=22 src=0 wgt=0
// CHECK-NEXT: .kernel k4 alu.add
// CHECK-NEXT:   .uop dst=22 src=6 wgt=0
// CHECK-NEXT: .kernel k5 gemm
// CHECK-NEXT:   .uop dst=22 src=6 wgt=0
// CHECK-NEXT: load.acc   sram=0 dram=bias+0 y=1 x=6 stride=6                                                       ; reads bias[0:384], writes acc[0:6]
// CHECK-NEXT: gemm.reset uop=k0 out=1 in=6 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[16:22]
// CHECK-NEXT: alu.add    uop=k1 out=1 in=6 dst=0,1 src=0,1                                                         ; reads acc[0:6], writes acc[16:22]
// CHECK-NEXT: gemm       uop=k2 out=6 in=4 dst=1,0 src=1,0 wgt=0,1                                                 ; reads inp[0:6] wgt[0:4], writes acc[16:22]
// CHECK-NEXT: load.acc   sram=6 dram=bias+6 y=1 x=6 stride=6                                                       ; reads bias[384:768], writes acc[6:12]
// CHECK-NEXT: gemm.reset uop=k3 out=1 in=6 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[22:28]
// CHECK-NEXT: alu.add    uop=k4 out=1 in=6 dst=0,1 src=0,1                                                         ; reads acc[6:12], writes acc[22:28]
// CHECK-NEXT: gemm       uop=k5 out=6 in=4 dst=1,0 src=1,0 wgt=0,1                                                 ; reads inp[6:12] wgt[0:4], writes acc[22:28]
IR_CASE(load_vectors_in_pieces) {
  Recording r;
  const TensorId bias = r.b.tensor("bias", Memory::kAcc, 12, TensorRole::kInput);
  r.b.load(0, bias, {0, 1, 12, 12});
  for (const uint32_t tile : {0U, 1U}) {
    const uint32_t its = 6 * tile;
    r.b.reset({16 + its, 0, 0, {{6, 1}}});
    r.b.alu(isa::AluOp::kAdd, {16 + its, its, 0, {{6, 1, 1}}});
    r.b.gemm({16 + its, its, 0, {{6, 1, 1}, {4, 0, 0, 1}}});
  }
  OperationList list = r.b.operations();
  list.in_slices = true;
  return around(std::move(list), "load_vectors_in_pieces");
}

// The GEMM of a thread is cut, so that what the other one has made can be stored before it has ended.
// CHECK-LABEL: == end_in_slices
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: .kernel k1 alu.max.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: gemm       uop=k0 out=8 in=4 dst=1,0 src=1,0 wgt=0,1                                                 ; reads inp[0:8] wgt[0:4], writes acc[1024:1032]
// CHECK-NEXT: alu.max    uop=k1 out=1 in=16 dst=0,1 src=0,0 imm=0                                                  ; writes acc[0:16]
// CHECK-NEXT: store.out  sram=0 dram=Y+0 y=1 x=16 stride=16                                                        ; reads acc[0:16], writes Y[0:256]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=1024 src=0 wgt=0
// CHECK-NEXT: .kernel k1 alu.max.imm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=1028 src=4 wgt=0
// CHECK-NEXT: gemm       uop=k0 out=4 in=4 dst=1,0 src=1,0 wgt=0,1                                                 ; reads inp[0:4] wgt[0:4], writes acc[1024:1028]
// CHECK-NEXT: alu.max    uop=k1 out=1 in=16 dst=0,1 src=0,0 imm=0                                                  ; writes acc[0:16]
// CHECK-NEXT: store.out  sram=0 dram=Y+0 y=1 x=16 stride=16                                                        ; reads acc[0:16], writes Y[0:256]
// CHECK-NEXT: gemm       uop=k2 out=4 in=4 dst=1,0 src=1,0 wgt=0,1                                                 ; reads inp[4:8] wgt[0:4], writes acc[1028:1032]
IR_CASE(end_in_slices) {
  Recording r;
  r.b.gemm({1024, 0, 0, {{8, 1, 1}, {4, 0, 0, 1}}});
  r.b.alu(isa::AluOp::kMax, {0, 0, 0, {{16, 1}}}, 0);
  r.b.store(r.y, {0, 1, 16, 16}, 0);
  OperationList list = r.b.operations();
  list.in_slices = true;
  return around(std::move(list), "end_in_slices");
}

// A kernel of three by three over the first two rows of an image: the first of them needs nothing of the kernel's row
// above, and so has an instruction of its own. What there is of zeros at the sides is not worth one.
// CHECK-LABEL: == skip_zeros
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT:   .uop dst=0 src=1 wgt=1
// CHECK-NEXT:   .uop dst=0 src=2 wgt=2
// CHECK-NEXT:   .uop dst=20 src=22 wgt=0
// CHECK-NEXT:   .uop dst=20 src=23 wgt=1
// CHECK-NEXT:   .uop dst=20 src=24 wgt=2
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=3 x=20 stride=20 pad=1,0,1,1                                            ; reads X[0:960], writes inp[0:88]
// CHECK-NEXT: gemm       uop=k0 out=20 in=3 dst=1,0 src=1,22 wgt=0,3                                               ; reads inp[0:88] wgt[0:9], writes acc[0:40]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT:   .uop dst=0 src=1 wgt=1
// CHECK-NEXT:   .uop dst=0 src=2 wgt=2
// CHECK-NEXT:   .uop dst=20 src=22 wgt=0
// CHECK-NEXT:   .uop dst=20 src=23 wgt=1
// CHECK-NEXT:   .uop dst=20 src=24 wgt=2
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=0 src=22 wgt=3
// CHECK-NEXT:   .uop dst=0 src=23 wgt=4
// CHECK-NEXT:   .uop dst=0 src=24 wgt=5
// CHECK-NEXT: .kernel k2 gemm
// CHECK-NEXT:   .uop dst=20 src=22 wgt=0
// CHECK-NEXT:   .uop dst=20 src=23 wgt=1
// CHECK-NEXT:   .uop dst=20 src=24 wgt=2
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=3 x=20 stride=20 pad=1,0,1,1                                            ; reads X[0:960], writes inp[0:88]
// CHECK-NEXT: gemm       uop=k1 out=20 in=2 dst=1,0 src=1,22 wgt=0,3                                               ; reads inp[0:88] wgt[0:9], writes acc[0:40]
// CHECK-NEXT: gemm       uop=k2 out=20 in=3 dst=1,0 src=1,22 wgt=0,3                                               ; reads inp[0:88] wgt[0:9], writes acc[0:40]
IR_CASE(skip_zeros) {
  Recording r;
  r.b.load(0, r.x, {0, 3, 20, 20}, {1, 0, 1, 1});
  r.b.gemm({0, 0, 0, {{20, 1, 1, 0}, {2, 20, 22, 0}, {3, 0, 22, 3}, {3, 0, 1, 1}}});
  OperationList list = r.b.operations();
  list.skips_zeros = true;
  return around(std::move(list), "skip_zeros");
}

// The first kernel is used again from where it lies.
// CHECK-LABEL: == place_micro_ops
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .kernel k0 gemm.reset
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT: .kernel k1 gemm
// CHECK-NEXT:   .uop dst=0 src=0 wgt=0
// CHECK-NEXT:   .uop dst=8 src=4 wgt=0
// CHECK-NEXT: gemm.reset uop=k0 out=1 in=4 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[0:4]
// CHECK-NEXT: gemm       uop=k1 out=4 in=2 dst=1,4 src=1,0 wgt=0,1                                                 ; reads inp[0:8] wgt[0:2], writes acc[0:16]
// CHECK-NEXT: gemm.reset uop=k0 out=1 in=4 dst=0,1 src=0,0 wgt=0,0                                                 ; writes acc[0:4]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .uop dst=0 src=0 wgt=0                   ; 0
// CHECK-NEXT: .uop dst=0 src=0 wgt=0                   ; 1
// CHECK-NEXT: .uop dst=8 src=4 wgt=0                   ; 2
// CHECK-NEXT: load.uop   sram=0 dram=uops+0 y=1 x=3 stride=3
// CHECK-NEXT: gemm.reset uop=0:1 out=1 in=4 dst=0,1 src=0,0 wgt=0,0                                                ; writes acc[0:4]
// CHECK-NEXT: gemm       uop=1:3 out=4 in=2 dst=1,4 src=1,0 wgt=0,1                                                ; reads inp[0:8] wgt[0:2], writes acc[0:16]
// CHECK-NEXT: gemm.reset uop=0:1 out=1 in=4 dst=0,1 src=0,0 wgt=0,0                                                ; writes acc[0:4]
IR_CASE(place_micro_ops) {
  Recording r;
  r.b.reset({0, 0, 0, {{4, 1, 0, 0}}});
  r.b.gemm({0, 0, 0, {{4, 1, 1, 0}, {2, 4, 0, 1}, {2, 8, 4, 0}}});
  r.b.reset({0, 0, 0, {{4, 1, 0, 0}}});
  return around(r.b.operations(), "place_micro_ops");
}

// The store waits for the GEMM, and that for the loads; nothing waits for the second load alone.
// CHECK-LABEL: == insert_tokens
// CHECK-NEXT: before
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .uop dst=0 src=0 wgt=0                   ; 0
// CHECK-NEXT: load.uop   sram=0 dram=uops+0 y=1 x=1 stride=1
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=1 stride=1                                                          ; reads X[0:16], writes inp[0:1]
// CHECK-NEXT: load.wgt   sram=0 dram=W+0 y=1 x=1 stride=1                                                          ; reads W[0:256], writes wgt[0:1]
// CHECK-NEXT: gemm       uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0                                                ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: store.out  sram=0 dram=Y+0 y=1 x=1 stride=1                                                          ; reads acc[0:1], writes Y[0:16]
// CHECK-NEXT: after
// CHECK-NEXT: ; 1x16_i8w8a32_15_15_18_17
// CHECK-NEXT: .tensor X inp 64 input
// CHECK-NEXT: .tensor W wgt 8 input
// CHECK-NEXT: .tensor Y out 64 output
// CHECK-NEXT: .uop dst=0 src=0 wgt=0                   ; 0
// CHECK-NEXT: load.uop   sram=0 dram=uops+0 y=1 x=1 stride=1
// CHECK-NEXT: load.inp   sram=0 dram=X+0 y=1 x=1 stride=1                                                          ; reads X[0:16], writes inp[0:1]
// CHECK-NEXT: load.wgt   sram=0 dram=W+0 y=1 x=1 stride=1 push=next                                                ; reads W[0:256], writes wgt[0:1]
// CHECK-NEXT: gemm       uop=0:1 out=1 in=1 dst=0,0 src=0,0 wgt=0,0 pop=prev push=next                             ; reads inp[0:1] wgt[0:1], writes acc[0:1]
// CHECK-NEXT: store.out  sram=0 dram=Y+0 y=1 x=1 stride=1 pop=prev push=prev                                       ; reads acc[0:1], writes Y[0:16]
// CHECK-NEXT: finish pop=next
IR_CASE(insert_tokens) {
  Recording r;
  r.b.load(0, r.x, {0, 1, 1, 1});
  r.b.load(0, r.w, {0, 1, 1, 1});
  r.b.gemm({0, 0, 0, {}});
  r.b.load(0, r.x, {1, 1, 1, 1});
  r.b.store(r.y, {0, 1, 1, 1}, 0);
  return around(r.b.operations(), "insert_tokens", true);
}
