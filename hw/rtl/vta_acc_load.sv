// SPDX-License-Identifier: Apache-2.0
// Makes accumulator elements of what a load brings: accumulators as they are, or 8-bit lanes that are sign-extended.

module vta_acc_load #(
  localparam int BusW  = vta_pkg::BusW,
  localparam int ElemW = 8 << vta_pkg::AccElemLog,
  localparam int Lanes = vta_pkg::AccLoadLanes
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // Writes of vta_dma_walk; those of other memories are ignored
  input  logic                           op_valid_i,
  input  logic [vta_pkg::DmaMemoryW-1:0] op_memory_i,
  input  logic                           op_zero_i,
  input  logic [vta_pkg::GranuleW-1:0]   op_granule_i,
  input  logic [vta_pkg::ElementsW-1:0]  op_elements_i,
  input  logic [BusW-1:0]                op_data_i,

  // To the scratchpad: lane l is the element after lane l - 1
  output logic [Lanes-1:0]               wr_lanes_o,
  output logic [Lanes*ElemW-1:0]         wr_data_o
);

  localparam int AccW      = vta_pkg::AccW;
  localparam int WideBeatW = BusW / 8 * AccW;
  localparam int AccLanes  = vta_pkg::AccLanes;
  localparam int Acc8Lanes = vta_pkg::Acc8Lanes;

  logic [AccLanes-1:0]        acc_lanes;
  logic [AccLanes*ElemW-1:0]  acc_data;
  logic [Acc8Lanes-1:0]       acc8_lanes;
  logic [Acc8Lanes*ElemW-1:0] acc8_data;
  logic [WideBeatW-1:0]       wide_beat;
  logic                       is_acc8;

  assign is_acc8 = op_valid_i && (op_memory_i == vta_pkg::MemAcc8);

  vta_assemble #(
    .ElemW(ElemW),
    .BeatW(BusW)
  ) u_assemble (
    .clk_i,
    .rst_ni,
    .valid_i   (op_valid_i && (op_memory_i == vta_pkg::MemAcc)),
    .zero_i    (op_zero_i),
    .granule_i (op_granule_i),
    .elements_i(op_elements_i),
    .data_i    (op_data_i),
    .wr_lanes_o(acc_lanes),
    .wr_data_o (acc_data)
  );

  for (genvar i = 0; i < BusW / 8; i++) begin : g_widen
    assign wide_beat[i*AccW +: AccW] = {{(AccW - 8){op_data_i[i*8 + 7]}}, op_data_i[i*8 +: 8]};
  end

  vta_assemble #(
    .ElemW(ElemW),
    .BeatW(WideBeatW)
  ) u_assemble_acc8 (
    .clk_i,
    .rst_ni,
    .valid_i   (is_acc8),
    .zero_i    (op_zero_i),
    .granule_i (op_granule_i),
    .elements_i(op_elements_i),
    .data_i    (wide_beat),
    .wr_lanes_o(acc8_lanes),
    .wr_data_o (acc8_data)
  );

  assign wr_lanes_o = Lanes'(acc_lanes) | Lanes'(acc8_lanes);
  assign wr_data_o  = is_acc8 ? (Lanes*ElemW)'(acc8_data) : (Lanes*ElemW)'(acc_data);

endmodule
