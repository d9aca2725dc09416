// SPDX-License-Identifier: Apache-2.0
// Counts what the memories of a core do, and the ALU's multiplications (hw/core/activity.h), at the ports of the memories
// themselves. It is bound to the core by the build of a model alone: no tool that makes hardware sees it.

module vantage_activity (
  input logic clk_i,

  // Reads: a port in each bit
  input logic [2:0] uop_rd_i,   // the instruction check's, GEMM's, the vector engine's
  input logic       inp_rd_i,
  input logic       wgt_rd_i,
  input logic [1:0] acc_rd_i,   // of each half
  input logic       out_rd_i,
  // Of a read of OUT, elements that are used of those that a beat has room for
  input logic [vta_pkg::ElementsW-1:0] out_rd_elements_i,

  // Writes: an element in each bit, of both copies of the micro-ops and both halves of the accumulators
  input logic [2*vta_pkg::UopLoadLanes-1:0] uop_wr_i,
  input logic [vta_pkg::InpLoadLanes-1:0]       inp_wr_i,
  input logic [vta_pkg::WgtLoadLanes-1:0]       wgt_wr_i,
  input logic [2*vta_pkg::AccLoadLanes-1:0] acc_wr_i,
  input logic [2*vta_pkg::AccLoadLanes-1:0] out_wr_i,

  input logic alu_mul_i
);

  /* verilator coverage_off */
  longint unsigned uop_reads /* verilator public_flat_rd */, uop_writes /* verilator public_flat_rd */;
  longint unsigned inp_reads /* verilator public_flat_rd */, inp_writes /* verilator public_flat_rd */;
  longint unsigned wgt_reads /* verilator public_flat_rd */, wgt_writes /* verilator public_flat_rd */;
  longint unsigned acc_reads /* verilator public_flat_rd */, acc_writes /* verilator public_flat_rd */;
  longint unsigned out_reads /* verilator public_flat_rd */, out_writes /* verilator public_flat_rd */;
  longint unsigned alu_mul_steps /* verilator public_flat_rd */;

  initial begin
    uop_reads = 0;
    uop_writes = 0;
    inp_reads = 0;
    inp_writes = 0;
    wgt_reads = 0;
    wgt_writes = 0;
    acc_reads = 0;
    acc_writes = 0;
    out_reads = 0;
    out_writes = 0;
    alu_mul_steps = 0;
  end

  // Without conditions most of it would be added in every cycle
  always_ff @(posedge clk_i) begin
    if (uop_rd_i != '0) uop_reads <= uop_reads + 64'($countones(uop_rd_i));
    if (uop_wr_i != '0) uop_writes <= uop_writes + 64'($countones(uop_wr_i));
    if (inp_rd_i) inp_reads <= inp_reads + 1;
    if (inp_wr_i != '0) inp_writes <= inp_writes + 64'($countones(inp_wr_i));
    if (wgt_rd_i) wgt_reads <= wgt_reads + 1;
    if (wgt_wr_i != '0) wgt_writes <= wgt_writes + 64'($countones(wgt_wr_i));
    if (acc_rd_i != '0) acc_reads <= acc_reads + 64'($countones(acc_rd_i));
    if (acc_wr_i != '0) acc_writes <= acc_writes + 64'($countones(acc_wr_i));
    // An element that is larger than a beat is read for each of its beats
    if (out_rd_i)
      out_reads <= out_reads + (vta_pkg::OutElemLog < vta_pkg::BusLog ? 64'(out_rd_elements_i) : 64'd1);
    if (out_wr_i != '0) out_writes <= out_writes + 64'($countones(out_wr_i));
    if (alu_mul_i) alu_mul_steps <= alu_mul_steps + 1;
  end

endmodule

bind vta_core vantage_activity u_activity (
  .clk_i            (clk_i),
  .uop_rd_i         ({u_compute.u_uop_store.check_rd_en_i, u_compute.u_uop_store.gemm_rd_en_i,
                      u_compute.u_uop_store.vector_rd_en_i}),
  .inp_rd_i         (u_inp.rd_en_i),
  .wgt_rd_i         (u_wgt.rd_en_i),
  .acc_rd_i         ({u_compute.u_acc.g_half[1].u_acc.rd_en_i, u_compute.u_acc.g_half[0].u_acc.rd_en_i}),
  .out_rd_i         (u_store.u_pack.read),
  .out_rd_elements_i(u_store.u_pack.elements),
  .uop_wr_i         ({u_compute.u_uop_store.u_gemm.wr_lanes_i, u_compute.u_uop_store.u_vector.wr_lanes_i}),
  .inp_wr_i         (u_inp.wr_lanes_i),
  .wgt_wr_i         (u_wgt.wr_lanes_i),
  .acc_wr_i         ({u_compute.u_acc.g_half[1].u_acc.wr_lanes_i, u_compute.u_acc.g_half[0].u_acc.wr_lanes_i}),
  .out_wr_i         ({u_compute.u_acc.g_half[1].u_out.wr_lanes_i, u_compute.u_acc.g_half[0].u_out.wr_lanes_i}),
  .alu_mul_i        (u_compute.u_vector.take && u_compute.u_vector.is_mul)
);
