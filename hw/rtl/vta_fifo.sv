// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue, ready/valid on both sides. Data pushed in a cycle can be popped in the next one.
//
// flush_i empties it; it wins over a push and a pop in the same cycle. Depth is a power of two.
//
// Large queues lie in block RAM, whose data come a cycle after their address: the word at the head is read ahead, and one
// that becomes the head as it is pushed goes around the memory. Small ones lie in LUTs.

`include "vta_assert.svh"

module vta_fifo #(
  parameter int Width = 8,
  parameter int Depth = 4,
  parameter int BlockRam = (Width * Depth > 4096) ? 1 : 0,
  // Cycles from a push to the first in which it can be popped, as whoever uses the queue counts on them
  parameter int Latency = 1,

  localparam int PtrW = (Depth > 1) ? $clog2(Depth) : 1,
  localparam int CountW = $clog2(Depth + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              flush_i,

  // Push
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [Width-1:0]  data_i,

  // Pop
  output logic              valid_o,
  input  logic              ready_i,
  output logic [Width-1:0]  data_o,

  // Entries held
  output logic [CountW-1:0] count_o
);

  logic [Width-1:0]  mem [Depth];
  logic [PtrW-1:0]   wr_q, rd_q;
  logic [CountW-1:0] count_q;
  logic              push, pop;

  assign ready_o = count_q != CountW'(Depth);
  assign valid_o = count_q != '0;
  assign count_o = count_q;
  assign push    = valid_i & ready_o;
  assign pop     = valid_o & ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q    <= '0;
      rd_q    <= '0;
      count_q <= '0;
    end else if (flush_i) begin
      wr_q    <= '0;
      rd_q    <= '0;
      count_q <= '0;
    end else begin
      if (push) wr_q <= (Depth > 1) ? wr_q + 1'b1 : '0;
      if (pop)  rd_q <= (Depth > 1) ? rd_q + 1'b1 : '0;
      count_q <= count_q + CountW'(push) - CountW'(pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) mem[wr_q] <= data_i;
  end

  if (BlockRam != 0) begin : g_block_ram
    logic [PtrW-1:0]  head, second_q;   // at the head in the next cycle; behind the head now
    logic             around_q;
    logic [Width-1:0] read_q, pushed_q;

    // A pop may come late in a cycle: it only chooses between what is known before
    assign head   = pop ? second_q : rd_q;
    assign data_o = around_q ? pushed_q : read_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) second_q <= PtrW'(1);
      else if (pop)           second_q <= second_q + 1'b1;
    end

    // A word is the head as it is pushed where no other is left
    always_ff @(posedge clk_i) begin
      if (!rst_ni) around_q <= 1'b0;
      else         around_q <= push && (pop ? count_q == CountW'(1) : count_q == '0);
    end

    always_ff @(posedge clk_i) begin
      if (pop || around_q) read_q   <= mem[head];
      if (push)            pushed_q <= data_i;
    end
  end else begin : g_luts
    assign data_o = mem[rd_q];
  end

  `VTA_STATIC_ASSERT(PoppedTheCycleAfter, Latency == 1)
  `VTA_ASSERT(NeverOverfull, count_q <= CountW'(Depth))

`ifdef FORMAL
`include "vta_fifo.formal.svh"
`endif

endmodule
