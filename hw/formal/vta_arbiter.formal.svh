// Properties of vta_arbiter, included at its end: a grant goes to one requester that asks, a choice stays until it is taken,
// and nobody waits for more than N grants to others.

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

  always @(posedge clk_i) begin
    if (rst_ni) begin
      GrantsOne: assert ((grant_o & (grant_o - 1'b1)) == '0);
      GrantsWhoAsks: assert ((grant_o & ~valid_i) == '0);
      GrantsWheneverItCan: assert ((grant_o != '0) == (valid_o && ready_i));
      AsksWhenAnyoneDoes: assert (valid_o == (valid_i != '0));
      HoldsOnlyWhoAsks: assert (!held_q || valid_i[held_id_q]);
      InRange: assert ((32'(last_q) < N) && (32'(id_o) < N) && (32'(held_id_q) < N));
    end
  end

  // A choice that was not taken stays
  logic           f_waiting_q;
  logic [IdW-1:0] f_id_q;
  initial f_waiting_q = 1'b0;
  always @(posedge clk_i) begin
    f_waiting_q <= rst_ni && valid_o && !ready_i;
    f_id_q      <= id_o;
    if (rst_ni && f_waiting_q) ChoiceStays: assert (valid_o && (id_o == f_id_q));
  end

  // How many requesters the rule puts before one
  logic [N*4-1:0] f_before;
  for (genvar i = 0; i < N; i++) begin : g_formal_before
    assign f_before[i*4 +: 4] = (i > 32'(last_q)) ? 4'(i - 32'(last_q) - 1) : 4'(i + N - 32'(last_q) - 1);
  end

  for (genvar i = 0; i < N; i++) begin : g_formal_requester
    logic [3:0] f_passed_q;   // grants to others since it began to ask
    logic [3:0] f_held_before;
    initial f_passed_q = '0;
    assign f_held_before = f_before[held_id_q*4 +: 4];

    always @(posedge clk_i) begin
      if (!rst_ni || !valid_i[i] || grant_o[i]) f_passed_q <= '0;
      else if (grant_o != '0)                   f_passed_q <= f_passed_q + 1'b1;
      // Assertions here have no names: they would be the same for every requester
      if (rst_ni) begin
        // Each grant to another brings it nearer, but for a choice that was held before it began to ask
        assert (f_passed_q + f_before[i*4 +: 4] <= 4'(N));
        assert (!held_q || (f_held_before <= f_before[i*4 +: 4]) || (f_passed_q == '0));
        assert ((f_passed_q == '0) || (f_asked_q[i] && !f_granted_q[i]));
        // Nobody starves
        assert (f_passed_q <= 4'(N));
        cover ((f_passed_q == 4'(N - 1)) && grant_o[i]);
      end
    end
  end
