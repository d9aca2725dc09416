// SPDX-License-Identifier: Apache-2.0
// The GEMM pipeline: one step a cycle, whatever the order of destinations.
//
//   0  the sequencer's step; the micro-op is read
//   1  indices; input and weight are read
//   2  products
//   3  sums of a few
//   4  sums; the accumulator is read
//   5  accumulator + sum, with the two steps before forwarded
//   6  the accumulator is written

`include "vta_assert.svh"

module vta_gemm_engine #(
  localparam int InpElemW = 8 << vta_pkg::InpElemLog,
  localparam int WgtElemW = 8 << vta_pkg::WgtElemLog,
  localparam int AccElemW = 8 << vta_pkg::AccElemLog
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // An instruction with at least one step, and the accumulator halves that it touches
  input  logic                          start_i,   // REQUIRES: no other waits for its first step
  input  logic [vta_pkg::InsnW-1:0]     insn_i,
  input  logic [1:0]                    halves_i,

  // Micro-op scratchpad
  output logic                          uop_rd_en_o,
  output logic [vta_pkg::UopIndexW-1:0] uop_rd_index_o,
  input  logic [vta_pkg::UopW-1:0]      uop_i,
  // Input and weight scratchpads
  output logic                          operands_rd_en_o,
  output logic [vta_pkg::InpIndexW-1:0] inp_rd_index_o,
  input  logic [InpElemW-1:0]           inp_i,
  output logic [vta_pkg::WgtIndexW-1:0] wgt_rd_index_o,
  input  logic [WgtElemW-1:0]           wgt_i,
  // Accumulator scratchpad
  output logic                          acc_rd_en_o,
  output logic [vta_pkg::AccIndexW-1:0] acc_rd_index_o,
  input  logic [AccElemW-1:0]           acc_i,
  output logic                          acc_wr_en_o,
  output logic [vta_pkg::AccIndexW-1:0] acc_wr_index_o,
  output logic [AccElemW-1:0]           acc_wr_data_o,

  // A step; whether it is its instruction's first or last
  output logic                          step_o,
  output logic                          first_step_o,
  output logic                          last_step_o,
  // These halves are free for an instruction that is issued from the next cycle on
  output logic [1:0]                    release_o,
  // In the cycle of an instruction's last write
  output logic                          done_o
);

  localparam int AccIndexW = vta_pkg::AccIndexW;
  localparam int InpIndexW = vta_pkg::InpIndexW;
  localparam int WgtIndexW = vta_pkg::WgtIndexW;
  localparam int AccW      = vta_pkg::AccW;
  localparam int Lanes     = vta_pkg::Batch * vta_pkg::BlockOut;

  // 0: step
  logic                 step, first, last;
  logic [AccIndexW-1:0] dst;
  logic [InpIndexW-1:0] src;
  logic [WgtIndexW-1:0] wgt;
  logic [1:0]           halves_q;

  vta_sequencer #(
    .SrcW(InpIndexW)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i,
    .uop_bgn_i       (vta_pkg::gemm_uop_bgn(insn_i)),
    .uop_end_i       (vta_pkg::gemm_uop_end(insn_i)),
    .iter_out_i      (vta_pkg::gemm_iter_out(insn_i)),
    .iter_in_i       (vta_pkg::gemm_iter_in(insn_i)),
    .dst_factor_out_i(vta_pkg::gemm_dst_factor_out(insn_i)),
    .dst_factor_in_i (vta_pkg::gemm_dst_factor_in(insn_i)),
    .src_factor_out_i(vta_pkg::gemm_src_factor_out(insn_i)),
    .src_factor_in_i (vta_pkg::gemm_src_factor_in(insn_i)),
    .wgt_factor_out_i(vta_pkg::gemm_wgt_factor_out(insn_i)),
    .wgt_factor_in_i (vta_pkg::gemm_wgt_factor_in(insn_i)),
    .valid_o         (step),
    .take_i          (1'b1),
    .uop_o           (uop_rd_index_o),
    .dst_o           (dst),
    .src_o           (src),
    .wgt_o           (wgt),
    .first_o         (first),
    .last_o          (last)
  );

  assign uop_rd_en_o  = step;
  assign step_o       = step;
  assign first_step_o = step && first;
  assign last_step_o  = step && last;

  // Those of the nest that waits are the steps' from its first on
  logic [1:0] next_halves_q, halves;
  assign halves = first ? next_halves_q : halves_q;

  always_ff @(posedge clk_i) begin
    if (start_i)      next_halves_q <= halves_i;
    if (first_step_o) halves_q      <= next_halves_q;
  end

  // The pipeline's stages behind the step
  localparam int Indices    = 1;
  localparam int Products   = 2;
  localparam int Parts      = 3;
  localparam int Sums       = 4;
  localparam int Accumulate = 5;
  localparam int Write      = 6;

  // Which stages hold a step, and whether it is its instruction's last
  logic [Write:Indices] valid_q, last_q;
  logic [1:0]           halves1_q, halves2_q, halves3_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      last_q  <= '0;
    end else begin
      valid_q <= {valid_q[Accumulate:Indices], step};
      last_q  <= {last_q[Accumulate:Indices], step && last};
    end
  end

  // 1: indices
  logic [AccIndexW-1:0] dst1_q, dst2_q, dst3_q, dst4_q, dst5_q, dst6_q;
  logic [InpIndexW-1:0] src1_q;
  logic [WgtIndexW-1:0] wgt1_q;
  logic [vta_pkg::UopSrcIdxW-1:0] uop_src;

  assign uop_src = vta_pkg::uop_src_idx(uop_i);

  assign operands_rd_en_o = valid_q[Indices];
  assign inp_rd_index_o   = InpIndexW'(uop_src) + src1_q;
  assign wgt_rd_index_o   = vta_pkg::uop_wgt_idx(uop_i) + wgt1_q;

  always_ff @(posedge clk_i) begin
    dst1_q    <= dst;
    src1_q    <= src;
    wgt1_q    <= wgt;
    dst2_q    <= vta_pkg::uop_dst_idx(uop_i) + dst1_q;
    dst3_q    <= dst2_q;
    dst4_q    <= dst3_q;
    dst5_q    <= dst4_q;
    dst6_q    <= dst5_q;
    halves1_q <= halves;
    halves2_q <= halves1_q;
    halves3_q <= halves2_q;
  end

  // 2, 3, 4: products and sums
  logic [AccElemW-1:0] sum;

  vta_gemm_core u_core (
    .clk_i,
    .operands_valid_i(valid_q[Products]),
    .inp_i,
    .wgt_i,
    .products_valid_i(valid_q[Parts]),
    .parts_valid_i   (valid_q[Sums]),
    .sum_o           (sum)
  );

  assign acc_rd_en_o    = valid_q[Sums];
  assign acc_rd_index_o = dst4_q;
  // No other engine gets to the accumulators sooner than three cycles after its issue
  assign release_o      = last_q[Parts] ? halves3_q : '0;

  // 5: accumulate
  logic [AccElemW-1:0] acc, result_q;

  vta_forward #(
    .DataW (AccElemW),
    .IndexW(AccIndexW)
  ) u_forward (
    .clk_i,
    .rst_ni,
    .wr_en_i   (valid_q[Write]),
    .wr_index_i(dst6_q),
    .wr_data_i (result_q),
    .rd_index_i(dst5_q),
    .rd_data_i (acc_i),
    .value_o   (acc)
  );

  always_ff @(posedge clk_i) begin
    if (valid_q[Accumulate]) begin
      for (int l = 0; l < Lanes; l++) begin
        result_q[l*AccW +: AccW] <= acc[l*AccW +: AccW] + sum[l*AccW +: AccW];
      end
    end
  end

  // 6: write
  assign acc_wr_en_o    = valid_q[Write];
  assign acc_wr_index_o = dst6_q;
  assign acc_wr_data_o  = result_q;
  assign done_o         = last_q[Write];

  // The release is seen a cycle later (vta_halves)
  `VTA_STATIC_ASSERT(FirstStepIsBehindOneRegister, vta_pkg::GemmFirstStep == 1)
  `VTA_STATIC_ASSERT(ReleasesInTime, Parts + 1 == vta_pkg::GemmHalvesFree)
  `VTA_STATIC_ASSERT(EndsInTime, Write == vta_pkg::GemmEnd)

endmodule
