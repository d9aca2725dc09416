// SPDX-License-Identifier: Apache-2.0
// The steps of ALU instructions and resets, with their accumulator indices: the loop nest runs ahead of the engine that
// takes them, as far as a small queue lets it. Three cycles from a nest's start to its first step, if the queue is empty:
//
//   0  the sequencer's step; the micro-op is read
//   1  indices
//   2  the step waits to be taken
//
// Which is why the next nest's first step follows this one's last without a gap.

`include "vta_assert.svh"

module vta_vector_steps #(
  localparam int IndexW = vta_pkg::AccIndexW
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // An instruction with at least one step
  input  logic                          start_i,   // REQUIRES: no other waits for its first step
  input  logic [vta_pkg::InsnW-1:0]     insn_i,

  // Micro-op scratchpad, which gives a micro-op until the next is read
  output logic                          uop_rd_en_o,
  output logic [vta_pkg::UopIndexW-1:0] uop_rd_index_o,
  input  logic [vta_pkg::UopW-1:0]      uop_i,

  output logic                          valid_o,
  input  logic                          take_i,   // REQUIRES: valid_o
  output logic [IndexW-1:0]             dst_o,
  output logic [IndexW-1:0]             src_o,
  // The nest's first step, its last
  output logic                          first_o,
  output logic                          last_o
);

  // A step a cycle takes three on their way
  localparam int Steps  = 4;
  localparam int CountW = $clog2(Steps + 1);
  localparam int WgtW   = vta_pkg::WgtIndexW;

  logic              step, has_room, first, last;
  logic [IndexW-1:0] dst, src;
  logic [CountW-1:0] ahead_q;   // made and not taken

  assign has_room    = ahead_q != CountW'(Steps);
  assign uop_rd_en_o = step && has_room;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ahead_q <= '0;
    else         ahead_q <= ahead_q + CountW'(uop_rd_en_o) - CountW'(take_i);
  end

  vta_sequencer #(
    .SrcW(IndexW)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i,
    .uop_bgn_i       (vta_pkg::alu_uop_bgn(insn_i)),
    .uop_end_i       (vta_pkg::alu_uop_end(insn_i)),
    .iter_out_i      (vta_pkg::alu_iter_out(insn_i)),
    .iter_in_i       (vta_pkg::alu_iter_in(insn_i)),
    .dst_factor_out_i(vta_pkg::alu_dst_factor_out(insn_i)),
    .dst_factor_in_i (vta_pkg::alu_dst_factor_in(insn_i)),
    .src_factor_out_i(vta_pkg::alu_src_factor_out(insn_i)),
    .src_factor_in_i (vta_pkg::alu_src_factor_in(insn_i)),
    .wgt_factor_out_i(WgtW'(0)),
    .wgt_factor_in_i (WgtW'(0)),
    .valid_o         (step),
    .take_i          (has_room),
    .uop_o           (uop_rd_index_o),
    .dst_o           (dst),
    .src_o           (src),
    .wgt_o           (),
    .first_o         (first),
    .last_o          (last)
  );

  // 1: indices
  logic                           read_q, first_q, last_q;
  logic [IndexW-1:0]              dst_q, src_q, dst_index, src_index;
  logic [vta_pkg::UopSrcIdxW-1:0] uop_src;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_q <= 1'b0;
    else         read_q <= uop_rd_en_o;
  end

  always_ff @(posedge clk_i) begin
    dst_q   <= dst;
    src_q   <= src;
    first_q <= first;
    last_q  <= last;
  end

  assign uop_src   = vta_pkg::uop_src_idx(uop_i);
  assign src_index = IndexW'(uop_src) + src_q;
  assign dst_index = vta_pkg::uop_dst_idx(uop_i) + dst_q;

  // 2: until it is taken
  vta_fifo #(
    .Width(2 * IndexW + 2),
    .Depth(Steps)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .valid_i(read_q),
    .ready_o(),
    .data_i ({dst_index, src_index, first_q, last_q}),
    .valid_o,
    .ready_i(take_i),
    .data_o ({dst_o, src_o, first_o, last_o}),
    .count_o()
  );

  // The sequencer's register, read_q, the queue's
  `VTA_STATIC_ASSERT(FirstStepInTime, vta_pkg::VectorFirstStep == 3)

endmodule
