// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter of N requesters for one ready/valid channel: the requester after the one granted last goes first.

`include "vta_assert.svh"

module vta_arbiter #(
  parameter int N = 3,

  localparam int IdW = (N > 1) ? $clog2(N) : 1
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic [N-1:0]   valid_i,
  // One-hot, in the cycle in which the channel takes the choice
  output logic [N-1:0]   grant_o,

  output logic           valid_o,
  input  logic           ready_i,
  output logic [IdW-1:0] id_o
);

  logic [IdW-1:0] last_q;
  logic [IdW:0]   turn;

  // The first valid requester after the last granted one: scanned from the farthest, so that the nearest wins.
  always_comb begin
    id_o = last_q;
    turn = '0;
    for (int i = N; i >= 1; i--) begin
      turn = (IdW + 1)'(last_q) + (IdW + 1)'(i);
      if (turn >= (IdW + 1)'(N)) turn = turn - (IdW + 1)'(N);
      if (valid_i[IdW'(turn)]) id_o = IdW'(turn);
    end
  end

  assign valid_o = |valid_i;
  assign grant_o = (valid_o && ready_i) ? (N'(1) << id_o) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                 last_q <= IdW'(N - 1);
    else if (valid_o && ready_i) last_q <= id_o;
  end

  `VTA_ASSERT(GrantsAtMostOne, (grant_o & (grant_o - 1'b1)) == '0)
  `VTA_ASSERT(GrantsOnlyTheValid, (grant_o & ~valid_i) == '0)

`ifdef FORMAL
`include "vta_arbiter.formal.svh"
`endif

endmodule
