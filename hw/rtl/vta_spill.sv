// SPDX-License-Identifier: Apache-2.0
// A register on a ready/valid channel that cuts it on both sides: what it gives and what it answers come from flip-flops,
// and a word passes every cycle. It holds two words: one that is shown, and one that came as that was not taken.

`include "vta_assert.svh"

module vta_spill #(
  parameter int Width = 8,
  // Cycles from the one in which a word is pushed to the first in which it is shown, as whoever uses this counts on them
  parameter int Latency = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic             shown_q, spilt_q, moves;
  logic [Width-1:0] data_q, spilt_data_q;

  assign ready_o = !spilt_q;
  assign valid_o = shown_q;
  assign data_o  = data_q;
  assign moves   = !shown_q || ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      shown_q <= 1'b0;
      spilt_q <= 1'b0;
    end else if (moves) begin
      shown_q <= valid_i || spilt_q;
      spilt_q <= 1'b0;
    end else if (valid_i) begin
      spilt_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (moves)    data_q       <= spilt_q ? spilt_data_q : data_i;
    if (!spilt_q) spilt_data_q <= data_i;
  end

  `VTA_STATIC_ASSERT(ShownTheCycleAfter, Latency == 1)
  `VTA_ASSERT(SpillsOnlyBehindAWord, !spilt_q || shown_q)

`ifdef FORMAL
`include "vta_spill.formal.svh"
`endif

endmodule
