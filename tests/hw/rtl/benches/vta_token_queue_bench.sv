// SPDX-License-Identifier: Apache-2.0
// The token queue against a number.
module vta_token_queue_bench;
  `include "bench.svh"

  logic flush = 1'b0, push = 1'b0, pop = 1'b0, available;
  int   model = 0, push_percent = 50, pop_percent = 50;

  vta_token_queue #(
    .Width(8)
  ) u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .flush_i    (flush),
    .push_i     (push),
    .pop_i      (pop),
    .available_o(available)
  );

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      push_percent = percentage();
      pop_percent  = percentage();
    end
    // It cannot overflow where it is used, and must not here
    push  = rst_n && (model < 255) && chance(push_percent);
    pop   = rst_n && (model > 0) && chance(pop_percent);
    flush = below(500) == 0;
  end

  always @(posedge clk) if (rst_n) begin
    `CHECK(available == (model > 0))
    model = flush ? 0 : model + int'(push) - int'(pop);
    if (cycle == 20000) pass();
  end
endmodule
