// SPDX-License-Identifier: Apache-2.0
// Properties of vta_arbiter, included at its end: a grant goes to one requester that asks, and nobody waits for more than
// N - 1 grants to others.

  logic         f_started_q;
  logic [N-1:0] f_asked_q, f_granted_q;
  initial assume (!rst_ni);
  initial f_started_q = 1'b0;

  always @(posedge clk_i) begin
    if (!rst_ni) f_started_q <= 1'b1;
    if (rst_ni) BeginsWithReset: assert (f_started_q);
    f_asked_q   <= rst_ni ? valid_i : '0;
    f_granted_q <= rst_ni ? grant_o : '0;
  end

  // The requesters' side: who asks goes on asking until granted
  always @(posedge clk_i) begin
    if (rst_ni) assume ((f_asked_q & ~f_granted_q & ~valid_i) == '0);
  end

  // Whoever asks is passed over at most by those whom the rule puts before it
  logic [N-1:0] f_in_turn, f_waited_long;
  for (genvar i = 0; i < N; i++) begin : g_formal_requester
    logic [3:0] f_passed_q;   // grants to others since it began to ask
    logic [3:0] f_before;     // requesters that the rule puts before it
    initial f_passed_q = '0;
    assign f_before = (i > 32'(last_q)) ? 4'(i - 32'(last_q) - 1) : 4'(i + N - 32'(last_q) - 1);

    always @(posedge clk_i) begin
      if (!rst_ni || !valid_i[i] || grant_o[i]) f_passed_q <= '0;
      else if (grant_o != '0)                   f_passed_q <= f_passed_q + 1'b1;
    end

    assign f_in_turn[i]     = f_passed_q + f_before <= 4'(N - 1);
    assign f_waited_long[i] = (f_passed_q == 4'(N - 1)) && grant_o[i];
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      GrantsWheneverItCan: assert ((grant_o != '0) == (valid_o && ready_i));
      GrantsWhomItNames: assert ((grant_o == '0) || grant_o[id_o]);
      AsksWhenAnyoneDoes: assert (valid_o == (valid_i != '0));
      InRange: assert ((32'(last_q) < N) && (32'(id_o) < N));
      NobodyStarves: assert (&f_in_turn);
      cover (f_waited_long[0]);
      cover (f_waited_long[N-1]);
    end
  end
