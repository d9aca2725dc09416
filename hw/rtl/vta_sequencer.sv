// The loop nest of GEMM and ALU: for it_out, for it_in, for u in [uop_bgn, uop_end), innermost last; one step whenever it is
// taken. Gives the micro-op's index and the affine parts of the three scratchpad indices.
//
// A nest may start in the cycle in which the last one's last step is taken, so steps follow without a gap.
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

  input  logic            start_i,   // REQUIRES: ready_o
  output logic            ready_o,
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
  // The micro-op of the step that is shown once this one is taken, or a nest starts
  output logic [UopW-1:0] uop_next_o,
  output logic [DstW-1:0] dst_o,
  output logic [SrcW-1:0] src_o,
  output logic [WgtW-1:0] wgt_o,
  output logic            last_o,

  // The micro-ops that the nest under way still reads
  output logic [UopW-1:0] uop_bgn_o,
  output logic [UopW-1:0] uop_last_o
);

  logic            active_q;
  logic [UopW-1:0] bgn_q, last_q, u_q;
  logic [OutW-1:0] out_left_q;               // iterations after this one
  logic [InW-1:0]  in_left_q, in_count_q;
  // Sums of the outer loop, and of both
  logic [DstW-1:0] dst_out_q, dst_q, dst_fo_q, dst_fi_q;
  logic [SrcW-1:0] src_out_q, src_q, src_fo_q, src_fi_q;
  logic [WgtW-1:0] wgt_out_q, wgt_q, wgt_fo_q, wgt_fi_q;

  logic step, u_wraps, in_wraps;

  assign step     = valid_o && take_i;
  assign u_wraps  = u_q == last_q;
  assign in_wraps = in_left_q == '0;

  assign valid_o    = active_q;
  assign uop_o      = u_q;
  assign uop_next_o = (!active_q || last_o) ? uop_bgn_i : (u_wraps ? bgn_q : u_q + 1'b1);
  assign dst_o      = dst_q;
  assign src_o      = src_q;
  assign wgt_o      = wgt_q;
  assign last_o     = u_wraps && in_wraps && (out_left_q == '0);
  assign ready_o    = !active_q || (step && last_o);
  assign uop_bgn_o  = bgn_q;
  assign uop_last_o = last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      active_q <= 1'b0;
    else if (ready_o) active_q <= start_i;
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      if (start_i) begin
        bgn_q      <= uop_bgn_i;
        last_q     <= UopW'(uop_end_i - 1'b1);
        u_q        <= uop_next_o;
        out_left_q <= iter_out_i - 1'b1;
        in_left_q  <= iter_in_i - 1'b1;
        in_count_q <= iter_in_i - 1'b1;
        dst_fo_q   <= dst_factor_out_i;
        dst_fi_q   <= dst_factor_in_i;
        src_fo_q   <= src_factor_out_i;
        src_fi_q   <= src_factor_in_i;
        wgt_fo_q   <= wgt_factor_out_i;
        wgt_fi_q   <= wgt_factor_in_i;
        dst_out_q  <= '0;
        dst_q      <= '0;
        src_out_q  <= '0;
        src_q      <= '0;
        wgt_out_q  <= '0;
        wgt_q      <= '0;
      end
    end else if (step) begin
      u_q <= uop_next_o;
      if (u_wraps) begin
        in_left_q <= in_wraps ? in_count_q : in_left_q - 1'b1;
        if (in_wraps) begin
          out_left_q <= out_left_q - 1'b1;
          dst_out_q  <= dst_out_q + dst_fo_q;
          dst_q      <= dst_out_q + dst_fo_q;
          src_out_q  <= src_out_q + src_fo_q;
          src_q      <= src_out_q + src_fo_q;
          wgt_out_q  <= wgt_out_q + wgt_fo_q;
          wgt_q      <= wgt_out_q + wgt_fo_q;
        end else begin
          dst_q <= dst_q + dst_fi_q;
          src_q <= src_q + src_fi_q;
          wgt_q <= wgt_q + wgt_fi_q;
        end
      end
    end
  end

  `VTA_STATIC_ASSERT(FirstStepIsBehindOneRegister, vta_pkg::FirstStep == 1)

endmodule
