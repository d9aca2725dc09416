// SPDX-License-Identifier: Apache-2.0
// The loop nest of GEMM and ALU: for it_out, for it_in, for u in [uop_bgn, uop_end), innermost last; one step whenever it is
// taken. Gives the micro-op's index and the affine parts of the three scratchpad indices.
//
// The next nest may start any time after this one's first step: it waits here, and its steps follow without a gap.
// REQUIRES: the nest has a step, and no index passes its scratchpad's end.

`include "vta_assert.svh"

module vta_sequencer #(
  parameter int SrcW = 11,

  localparam int OutW = vta_pkg::GemmIterOutW,
  localparam int InW  = vta_pkg::GemmIterInW,
  localparam int UopW = vta_pkg::UopIndexW,
  localparam int DstW = vta_pkg::AccIndexW,
  localparam int WgtW = vta_pkg::WgtIndexW
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            start_i,   // REQUIRES: no nest waits
  input  logic [UopW-1:0] uop_bgn_i,
  input  logic [UopW:0]   uop_end_i,
  input  logic [OutW-1:0] iter_out_i,
  input  logic [InW-1:0]  iter_in_i,
  input  logic [DstW-1:0] dst_factor_out_i,
  input  logic [DstW-1:0] dst_factor_in_i,
  input  logic [SrcW-1:0] src_factor_out_i,
  input  logic [SrcW-1:0] src_factor_in_i,
  input  logic [WgtW-1:0] wgt_factor_out_i,
  input  logic [WgtW-1:0] wgt_factor_in_i,

  output logic            valid_o,
  input  logic            take_i,
  output logic [UopW-1:0] uop_o,
  output logic [DstW-1:0] dst_o,
  output logic [SrcW-1:0] src_o,
  output logic [WgtW-1:0] wgt_o,
  // The nest's first step, its last
  output logic            first_o,
  output logic            last_o
);

  // What the nest under way was told, and the one that waits behind it
  localparam int NestW = UopW + UopW + InW + 2 * DstW + 2 * SrcW + 2 * WgtW;
  logic                  active_q, waits_q;
  logic [OutW+NestW-1:0] told, waiting_q, next;
  logic [NestW-1:0]      nest_q;

  assign told = {iter_out_i, uop_bgn_i, UopW'(uop_end_i - 1'b1), iter_in_i, dst_factor_out_i, dst_factor_in_i,
                 src_factor_out_i, src_factor_in_i, wgt_factor_out_i, wgt_factor_in_i};
  assign next = waits_q ? waiting_q : told;

  logic [UopW-1:0] next_bgn;
  logic [OutW-1:0] next_iter_out;
  logic [InW-1:0]  next_iter_in;
  assign next_iter_out = next[NestW +: OutW];
  assign next_bgn      = next[NestW-1 -: UopW];
  assign next_iter_in  = next[NestW-1-2*UopW -: InW];

  logic [UopW-1:0] bgn, last;
  logic [InW-1:0]  iter_in;
  logic [DstW-1:0] dst_fo, dst_fi;
  logic [SrcW-1:0] src_fo, src_fi;
  logic [WgtW-1:0] wgt_fo, wgt_fi;
  assign {bgn, last, iter_in, dst_fo, dst_fi, src_fo, src_fi, wgt_fo, wgt_fi} = nest_q;

  logic [UopW-1:0] u_q;
  logic [OutW-1:0] out_left_q;   // iterations after this one
  logic [InW-1:0]  in_left_q;
  logic            first_q;
  // Sums of the outer loop, and of both
  logic [DstW-1:0] dst_out_q, dst_q;
  logic [SrcW-1:0] src_out_q, src_q;
  logic [WgtW-1:0] wgt_out_q, wgt_q;

  logic step, u_wraps, in_wraps, begins;

  assign step     = valid_o && take_i;
  assign u_wraps  = u_q == last;
  assign in_wraps = in_left_q == '0;
  assign begins   = !active_q || (step && last_o);

  assign valid_o = active_q;
  assign uop_o   = u_q;
  assign dst_o   = dst_q;
  assign src_o   = src_q;
  assign wgt_o   = wgt_q;
  assign first_o = first_q;
  assign last_o  = u_wraps && in_wraps && (out_left_q == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      waits_q  <= 1'b0;
    end else if (begins) begin
      active_q <= waits_q || start_i;
      waits_q  <= 1'b0;
    end else if (start_i) begin
      waits_q  <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!waits_q) waiting_q <= told;
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      nest_q     <= next[NestW-1:0];
      u_q        <= next_bgn;
      out_left_q <= next_iter_out - 1'b1;
      in_left_q  <= next_iter_in - 1'b1;
      first_q    <= 1'b1;
      dst_out_q  <= '0;
      dst_q      <= '0;
      src_out_q  <= '0;
      src_q      <= '0;
      wgt_out_q  <= '0;
      wgt_q      <= '0;
    end else if (step) begin
      u_q     <= u_wraps ? bgn : u_q + 1'b1;
      first_q <= 1'b0;
      if (u_wraps) begin
        in_left_q <= in_wraps ? iter_in - 1'b1 : in_left_q - 1'b1;
        if (in_wraps) begin
          out_left_q <= out_left_q - 1'b1;
          dst_out_q  <= dst_out_q + dst_fo;
          dst_q      <= dst_out_q + dst_fo;
          src_out_q  <= src_out_q + src_fo;
          src_q      <= src_out_q + src_fo;
          wgt_out_q  <= wgt_out_q + wgt_fo;
          wgt_q      <= wgt_out_q + wgt_fo;
        end else begin
          dst_q <= dst_q + dst_fi;
          src_q <= src_q + src_fi;
          wgt_q <= wgt_q + wgt_fi;
        end
      end
    end
  end

  `VTA_ASSERT(OneNestWaits, !(start_i && waits_q))

endmodule
