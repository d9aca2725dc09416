// SPDX-License-Identifier: Apache-2.0
// Dependence tokens between two stages. They carry nothing, so the queue is a counter: a token pushed in a cycle can be
// popped in the next one. It cannot overflow: an instruction pushes at most one token into it, and a run has at most
// 2^(Width-1) instructions (docs/isa.md).

`include "vta_assert.svh"

module vta_token_queue #(
  parameter int Width = 23,
  // Cycles from a push to the first in which it can be popped, as whoever uses the queue counts on them
  parameter int Latency = 1
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  flush_i,

  input  logic  push_i,
  // REQUIRES: available_o
  input  logic  pop_i,
  output logic  available_o
);

  logic [Width-1:0] count_q;

  assign available_o = count_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      count_q <= '0;
    else if (flush_i) count_q <= '0;
    else              count_q <= count_q + Width'(push_i) - Width'(pop_i);
  end

  `VTA_STATIC_ASSERT(PoppedTheCycleAfter, Latency == 1)
  `VTA_ASSERT(PopsOnlyWhatIsThere, !pop_i || available_o)
  `VTA_ASSERT(NeverOverflows, !(push_i && !pop_i && !flush_i) || count_q != {Width{1'b1}})

`ifdef FORMAL
`include "vta_token_queue.formal.svh"
`endif

endmodule
