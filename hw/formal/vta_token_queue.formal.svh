// SPDX-License-Identifier: Apache-2.0
// Properties of vta_token_queue, included at its end: what was pushed is what was popped and what is there.

  logic [Width-1:0] f_pushed_q, f_popped_q;

  initial assume (!rst_ni);

  // Its users' side of the contract: they pop only what is there, and a run is too short to fill it
  always @(posedge clk_i) begin
    if (rst_ni) begin
      assume (!pop_i || available_o);
      assume (!push_i || count_q != {Width{1'b1}});
    end
  end

  always @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      f_pushed_q <= '0;
      f_popped_q <= '0;
    end else begin
      f_pushed_q <= f_pushed_q + Width'(push_i);
      f_popped_q <= f_popped_q + Width'(pop_i);
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoneLostNoneMade: assert (count_q == Width'(f_pushed_q - f_popped_q));
      AvailableWhenThere: assert (available_o == (f_pushed_q != f_popped_q));
      cover (count_q == {Width{1'b1}});
    end
  end

  logic f_started_q;
  initial f_started_q = 1'b0;
  always @(posedge clk_i) begin
    if (!rst_ni) f_started_q <= 1'b1;
    if (rst_ni) BeginsWithReset: assert (f_started_q);
  end
