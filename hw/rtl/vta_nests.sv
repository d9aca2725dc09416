// SPDX-License-Identifier: Apache-2.0
// The nests that an engine holds, as issue needs to know: the one whose steps are made, and one that waits behind it.
// Another may be issued once the last one has made its first step, and the micro-ops of both are not to be overwritten.

`include "vta_assert.svh"

module vta_nests #(
  localparam int UopW = vta_pkg::UopIndexW
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  // A nest is issued; the micro-ops that it reads, from bgn to last
  input  logic            start_i,   // REQUIRES: ready_o
  output logic            ready_o,
  input  logic [UopW-1:0] bgn_i,
  input  logic [UopW-1:0] last_i,

  // The step that the engine makes in this cycle, if it is a nest's first or last
  input  logic            first_step_i,
  input  logic            last_step_i,

  // Whether micro-ops of this range are still to be read
  input  logic [UopW-1:0] load_bgn_i,
  input  logic [UopW-1:0] load_last_i,
  output logic            reads_o
);

  logic            waits_q, active_q;
  logic [UopW-1:0] next_bgn_q, next_last_q, bgn_q, last_q;

  assign ready_o = !waits_q;
  assign reads_o = (waits_q && (load_bgn_i <= next_last_q) && (next_bgn_q <= load_last_i)) ||
                   (active_q && (load_bgn_i <= last_q) && (bgn_q <= load_last_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q  <= 1'b0;
      active_q <= 1'b0;
    end else begin
      if (start_i)           waits_q <= 1'b1;
      else if (first_step_i) waits_q <= 1'b0;
      if (last_step_i)       active_q <= 1'b0;
      else if (first_step_i) active_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!waits_q) begin
      next_bgn_q  <= bgn_i;
      next_last_q <= last_i;
    end
    if (first_step_i) begin
      bgn_q  <= next_bgn_q;
      last_q <= next_last_q;
    end
  end

  `VTA_ASSERT(StartsWhenReady, !(start_i && waits_q))
  `VTA_ASSERT(StepsBelongToANest, (!first_step_i || waits_q) && (!last_step_i || active_q || first_step_i))

endmodule
