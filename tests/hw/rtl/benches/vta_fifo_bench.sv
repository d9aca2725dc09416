// SPDX-License-Identifier: Apache-2.0
// The queue against a list: what goes in comes out in order, flush empties it, the counts are right.
module vta_fifo_bench #(
  parameter int Depth = 4
);
  `include "bench.svh"

  localparam int Width = 24;

  logic                       flush = 1'b0, push_valid = 1'b0, push_ready, pop_valid, pop_ready = 1'b0;
  logic [Width-1:0]           push_data = '0, pop_data;
  logic [$clog2(Depth+1)-1:0] count;
  logic [Width-1:0]           model [$];
  int                         push_percent = 50, pop_percent = 50;

  vta_fifo #(
    .Width(Width),
    .Depth(Depth)
  ) u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .flush_i(flush),
    .valid_i(push_valid),
    .ready_o(push_ready),
    .data_i (push_data),
    .valid_o(pop_valid),
    .ready_i(pop_ready),
    .data_o (pop_data),
    .count_o(count)
  );

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      push_percent = percentage();
      pop_percent  = percentage();
    end
    push_valid = chance(push_percent);
    push_data  = Width'(random_bits());
    pop_ready  = chance(pop_percent);
    flush      = below(100) == 0;
  end

  always @(posedge clk) if (rst_n) begin
    `CHECK(int'(count) == model.size())
    `CHECK(push_ready == (model.size() < Depth))
    `CHECK(pop_valid == (model.size() > 0))
    if (model.size() > 0) begin
      `CHECK(pop_data == model[0])
    end
    if (pop_valid && pop_ready) model.delete(0);
    if (push_valid && push_ready) model.push_back(push_data);
    if (flush) model.delete();
    if (cycle == 20000) pass();
  end
endmodule
