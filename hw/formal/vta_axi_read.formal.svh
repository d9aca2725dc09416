// SPDX-License-Identifier: Apache-2.0
// Properties of vta_axi_read, included at its end, with its arbiter, its spill register and its queue inside. Memory
// answers bursts in the order of their addresses, as AXI demands of one ID. One burst, any, is followed from its grant on.
// The requesters may be reset at any time, and the port with them or not: what is said of memory goes on over a reset of the
// requesters alone, what is said of them begins anew.

  logic f_past_q, f_port_past_q;
  initial assume (!port_rst_ni);
  initial f_past_q = 1'b0;
  initial f_port_past_q = 1'b0;
  always @(posedge clk_i) begin
    assume (port_rst_ni || !rst_ni);
    f_past_q      <= rst_ni;
    f_port_past_q <= port_rst_ni;
  end

  // The requesters' side: a burst stays until it is granted
  logic [N-1:0] f_withdrawn;
  for (genvar i = 0; i < N; i++) begin : g_formal_requester
    logic                         f_waits_q;
    logic [vta_pkg::AddressW-1:0] f_addr_q;
    logic [LenW-1:0]              f_len_q;
    initial f_waits_q = 1'b0;
    always @(posedge clk_i) begin
      f_waits_q <= rst_ni && burst_valid_i[i] && !burst_ready_o[i];
      f_addr_q  <= burst_addr_i[i*vta_pkg::AddressW +: vta_pkg::AddressW];
      f_len_q   <= burst_len_i[i*LenW +: LenW];
    end
    assign f_withdrawn[i] = f_waits_q &&
                            (!burst_valid_i[i] || (burst_addr_i[i*vta_pkg::AddressW +: vta_pkg::AddressW] != f_addr_q) ||
                             (burst_len_i[i*LenW +: LenW] != f_len_q));
  end
  always @(posedge clk_i) begin
    if (rst_ni) assume (f_withdrawn == '0);
  end

  // The memory's side: the bursts whose addresses it took and has not answered to the end, in order. The beats of the
  // present one that it gave.
  localparam int FPtrW   = $clog2(Bursts);
  localparam int FCountW = $clog2(Bursts + 1);
  logic [LenW-1:0]    f_lens [Bursts];
  logic [FPtrW-1:0]   f_rd_q;
  logic [FCountW-1:0] f_open_q;
  logic [LenW-1:0]    f_beats_q;
  logic               f_addressed, f_answered;
  assign f_addressed = ar_valid_o && ar_ready_i;
  assign f_answered  = r_valid_i && r_last_i;

  always @(posedge clk_i) begin
    if (!port_rst_ni) begin
      f_rd_q    <= '0;
      f_open_q  <= '0;
      f_beats_q <= '0;
    end else begin
      assume (!r_valid_i || (f_open_q != '0));
      assume (!r_valid_i || (r_last_i == (f_beats_q == f_lens[f_rd_q])));
      if (f_addressed) f_lens[FPtrW'(f_rd_q + FPtrW'(f_open_q))] <= LenW'(ar_len_o);
      f_open_q <= f_open_q + FCountW'(f_addressed) - FCountW'(f_answered);
      if (f_answered) f_rd_q <= f_rd_q + 1'b1;
      if (r_valid_i)  f_beats_q <= r_last_i ? '0 : f_beats_q + 1'b1;
    end
  end

  // The followed burst: who asked, for what, and how many beats of others and of its own are to come
  (* anyseq *) logic            f_pick;
  logic                         f_seen_q, f_here_q, f_shown_q;   // granted; not ended; its address taken
  logic [IdW-1:0]               f_id_q;
  logic [vta_pkg::AddressW-1:0] f_addr_q;
  logic [LenW-1:0]              f_len_q;
  logic [FCountW-1:0]           f_ahead_q, f_addresses_q;   // bursts before it: not ended, not addressed
  logic [LenW:0]                f_given_q;   // its beats that came out
  // Bursts granted and not ended; those of them that memory was not shown
  logic [FCountW-1:0]           f_open, f_unshown, f_granted_q;
  logic                         f_beat, f_beat_ends;
  assign f_beat      = beat_valid_o != '0;
  assign f_beat_ends = f_beat && beat_last_q;
  assign f_unshown   = FCountW'(ar_valid_o) + FCountW'(!address_ready);
  assign f_open      = f_open_q + FCountW'(beat_valid_q && beat_last_q) + f_unshown;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      f_seen_q    <= 1'b0;
      f_here_q    <= 1'b0;
      f_granted_q <= '0;
    end else begin
      f_granted_q <= f_granted_q + FCountW'(granted) - FCountW'(f_beat_ends);
      if (granted && f_pick && !f_seen_q) begin
        f_seen_q      <= 1'b1;
        f_here_q      <= 1'b1;
        f_shown_q     <= 1'b0;
        f_id_q        <= id;
        f_addr_q      <= burst_addr_i[id*vta_pkg::AddressW +: vta_pkg::AddressW];
        f_len_q       <= burst_len_i[id*LenW +: LenW];
        f_ahead_q     <= f_granted_q - FCountW'(f_beat_ends);
        f_addresses_q <= f_unshown - FCountW'(f_addressed);
        f_given_q     <= '0;
      end else if (f_here_q) begin
        if (f_addressed && !f_shown_q) begin
          if (f_addresses_q == '0) f_shown_q <= 1'b1;
          f_addresses_q <= f_addresses_q - 1'b1;
        end
        if (f_beat && (f_ahead_q == '0)) f_given_q <= f_given_q + 1'b1;
        if (f_beat_ends) begin
          if (f_ahead_q == '0) f_here_q <= 1'b0;
          f_ahead_q <= f_ahead_q - 1'b1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      NoMoreThanBursts: assert (f_granted_q <= FCountW'(Bursts));
      CountsBurstsUnderWay: assert (drain_q || (f_open == f_granted_q));
      GrantsNothingBehindAReset: assert (!drain_q || (f_granted_q == '0));
      IdleWhenNothingIsUnderWay: assert (idle_o == (f_granted_q == '0));
      GivesABeatToOne: assert ((beat_valid_o & (beat_valid_o - 1'b1)) == '0);
      NoBeatWithoutABurst: assert (!f_beat || (f_granted_q != '0));
      if (f_past_q) begin
        GivesEveryBeatOnce: assert (f_beat == ($past(r_valid_i) && !drain_q));
        GivesBeatsAsTheyCame: assert (!f_beat || ((beat_data_o == $past(r_data_i)) &&
                                                  (beat_error_o == $past(r_resp_i[1]))));
      end
      if (f_here_q) begin
        StaysInTheQueue: assert ((f_ahead_q < f_granted_q) && (f_shown_q || (f_addresses_q < f_unshown)));
        if (!f_shown_q && ar_valid_o && (f_addresses_q == '0)) begin
          ShowsWhatWasAskedFor: assert ((ar_addr_o == f_addr_q) && (LenW'(ar_len_o) == f_len_q));
        end
        if (f_beat && (f_ahead_q == '0)) begin
          GoesToWhoAskedForIt: assert (beat_valid_o[f_id_q]);
          GivesAsManyAsWereAskedFor: assert (beat_last_q == (f_given_q == (LenW + 1)'(f_len_q)));
        end
      end
      cover (drain_q && beat_valid_q);
      cover (f_seen_q && !f_here_q && (f_len_q != '0) && (f_id_q == IdW'(N - 1)));
      cover ((f_granted_q == FCountW'(Bursts)) && (burst_valid_i != '0));
      cover (f_here_q && (f_ahead_q == FCountW'(Bursts - 1)));
    end
  end

  // The port's side, whatever the requesters do
  always @(posedge clk_i) begin
    if (port_rst_ni) begin
      AlwaysTakesBeats: assert (r_ready_o);
      KnowsWhatIsUnderWay: assert (owner_valid == (f_open != '0));
      OwesNoMoreThanBursts: assert (f_open <= FCountW'(Bursts));
      if (f_port_past_q && $past(port_rst_ni && ar_valid_o && !ar_ready_i)) begin
        AddressStableUntilTaken: assert (ar_valid_o && $stable(ar_addr_o) && $stable(ar_len_o));
      end
    end
  end
