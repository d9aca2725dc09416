// SPDX-License-Identifier: Apache-2.0
// The store stage: stores of every shape, also of nothing, against a memory that takes addresses and data and answers
// whenever it likes. The bytes must leave in order, each burst's last beat be marked, tokens be pushed with the responses.
module vta_store_bench;
  `include "bench.svh"
  `include "insn.svh"

  localparam int InsnW     = vta_pkg::InsnW;
  localparam int BusBytes  = vta_pkg::BusW / 8;
  localparam int ElemBytes = 1 << vta_pkg::OutElemLog;
  localparam int Lanes     = vta_pkg::OutLanes;
  localparam int Depth     = (vta_pkg::AccDepth < 64) ? vta_pkg::AccDepth : 64;
  localparam int Stores    = 300;

  logic                              flush = 1'b0, halt = 1'b0, queue_valid = 1'b0, queue_ready;
  logic [vta_pkg::InsnCountW-1:0]    queue_index = '0, insn_index;
  logic [InsnW-1:0]                  insn = '0;
  logic                              token_available = 1'b0, token_pop, token_push;
  logic                              out_rd_en;
  logic [vta_pkg::AccIndexW-1:0]     out_rd_index;
  logic [Lanes*ElemBytes*8-1:0]      out_rd_data = '0;
  logic                              aw_valid, aw_ready = 1'b0, w_valid, w_ready = 1'b0, w_last, b_valid = 1'b0, b_ready;
  logic [31:0]                       aw_addr;
  logic [7:0]                        aw_len;
  logic [vta_pkg::BusW-1:0]          w_data;
  logic [BusBytes-1:0]               w_strb;
  logic                              issue, retire, occupied, in_flight, token_wait, busy, error, illegal;
  logic [vta_pkg::BusLog:0]          out_bytes;

  vta_store u_dut (
    .clk_i            (clk),
    .rst_ni           (rst_n),
    .port_rst_ni      (rst_n),
    .flush_i          (flush),
    .halt_i           (halt),
    .memory_last_i    (32'hffff_ffff),
    .queue_valid_i    (queue_valid),
    .queue_ready_o    (queue_ready),
    .queue_index_i    (queue_index),
    .queue_insn_i     (insn),
    .token_available_i(token_available),
    .token_pop_o      (token_pop),
    .token_push_o     (token_push),
    .out_rd_en_o      (out_rd_en),
    .out_rd_index_o   (out_rd_index),
    .out_rd_data_i    (out_rd_data),
    .aw_valid_o       (aw_valid),
    .aw_ready_i       (aw_ready),
    .aw_addr_o        (aw_addr),
    .aw_len_o         (aw_len),
    .w_valid_o        (w_valid),
    .w_ready_i        (w_ready),
    .w_data_o         (w_data),
    .w_strb_o         (w_strb),
    .w_last_o         (w_last),
    .b_valid_i        (b_valid),
    .b_ready_o        (b_ready),
    .b_resp_i         (2'b00),
    .issue_o          (issue),
    .retire_o         (retire),
    .occupied_o       (occupied),
    .in_flight_o      (in_flight),
    .port_idle_o      (),
    .token_wait_o     (token_wait),
    .busy_o           (busy),
    .out_bytes_o      (out_bytes),
    .error_o          (error),
    .illegal_o        (illegal),
    .insn_index_o     (insn_index)
  );

  logic [ElemBytes*8-1:0] elements [Depth];

  // Bytes to be written, in order: {address, value}
  logic [39:0] bytes [$];
  // Whether the stores that have not been issued pop and push; bursts whose data are to come, whose response is
  logic        pops [$], pushing [$];
  logic [31:0] burst_addrs [$];
  int          burst_beats [$], answers = 0;
  // Beats that were sent and not taken, by their bytes; those that were taken ahead of their address, and how many bursts
  // they end
  int                       sent [$], ahead_lasts = 0;
  logic [vta_pkg::BusW-1:0] taken_data [$];
  logic [BusBytes-1:0]      taken_strb [$];
  logic                     taken_last [$];
  int                       shown_bytes;
  logic [vta_pkg::BusW-1:0] first_data;
  logic [BusBytes-1:0]      first_strb;
  int          tokens = 0, started = 0, issued = 0, retired = 0, pushes_due = 0, pushes = 0;
  logic        aw_shown = 1'b0, w_shown = 1'b0, aw_with_w = 1'b0;
  logic        aw_first;
  int          aw_taken = 0, data_taken = 0;
  logic [39:0] shown_aw;
  logic [vta_pkg::BusW+BusBytes:0] shown_w;
  int          queue_percent = 50, token_percent = 50, aw_percent = 50, w_percent = 50, b_percent = 50, halt_percent = 0;

  initial begin
    #1;  // The seed is there
    for (int i = 0; i < Depth; i++) for (int l = 0; l < ElemBytes; l++) elements[i][l*8 +: 8] = 8'(below(256));
  end

  // Data follow in the cycle after
  always @(posedge clk) if (out_rd_en) begin
    for (int l = 0; l < Lanes; l++) out_rd_data[l*ElemBytes*8 +: ElemBytes*8] <= elements[(int'(out_rd_index) + l) % Depth];
  end

  task automatic choose;
    int x, y, x_stride;
    x        = below(Depth + 1);
    if (below(3) != 0) x = below((Depth < 4) ? Depth + 1 : 5);
    y        = (x == 0) ? below(5) : below((Depth / x < 6) ? Depth / x + 1 : 7);
    x_stride = x + below(2) * below(20);
    insn = InsnW'(random_bits());
    insn = with_transfer_opcode(insn, vta_pkg::OpStore);
    insn = with_transfer_memory_type(insn, vta_pkg::MemOut);
    insn = with_transfer_pop_next(insn, 0);
    insn = with_transfer_push_next(insn, 0);
    insn = with_transfer_sram_base(insn, below(Depth - x * y + 1));
    insn = with_transfer_dram_base(insn, below(1 << 16));
    insn = with_transfer_y_size(insn, y);
    insn = with_transfer_x_size(insn, x);
    insn = with_transfer_x_stride(insn, x_stride);
    insn = with_transfer_y_pad_0(insn, 0);
    insn = with_transfer_y_pad_1(insn, 0);
    insn = with_transfer_x_pad_0(insn, 0);
    insn = with_transfer_x_pad_1(insn, 0);
  endtask

  task automatic note;
    int at;
    at = int'(vta_pkg::transfer_sram_base(insn));
    for (int y = 0; y < int'(vta_pkg::transfer_y_size(insn)); y++) begin
      for (int x = 0; x < int'(vta_pkg::transfer_x_size(insn)); x++) begin
        for (int b = 0; b < ElemBytes; b++) begin
          bytes.push_back({(vta_pkg::transfer_dram_base(insn) + 32'(y * int'(vta_pkg::transfer_x_stride(insn)) + x)) *
                               32'(ElemBytes) + 32'(b),
                           elements[at][b*8 +: 8]});
        end
        at = at + 1;
      end
    end
    pops.push_back(vta_pkg::transfer_pop_prev(insn));
    pushing.push_back(vta_pkg::transfer_push_prev(insn));
  endtask

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      queue_percent = percentage();
      token_percent = percentage();
      aw_percent    = percentage();
      w_percent     = percentage();
      b_percent     = percentage();
      aw_with_w     = below(3) == 0;
      halt_percent  = (below(4) == 0) ? percentage() : 0;
    end
    if (!queue_valid && rst_n && (started < Stores) && chance(queue_percent)) begin
      choose();
      queue_valid = 1'b1;
      queue_index = queue_index + 1'b1;
    end
    if (rst_n && chance(token_percent)) tokens = (tokens < 2) ? tokens + 1 : tokens;
    token_available = tokens > 0;
    halt     = chance(halt_percent);
    // Some memories take an address only together with its data
    aw_ready = chance(aw_percent) && (w_valid || !aw_with_w);
    w_ready  = chance(w_percent);
    b_valid  = (answers > 0) && chance(b_percent);
  end

  always @(posedge clk) if (rst_n) begin
    `CHECK(!illegal && !error)
    if (retired == Stores) begin
      `CHECK(bytes.size() == 0 && answers == 0 && pushes == pushes_due && !in_flight)
      pass();
    end

    // What has been shown stays until it is taken
    aw_first = aw_valid && !aw_shown;
    if (aw_shown) begin
      `CHECK(aw_valid && {aw_addr, aw_len} == shown_aw)
    end
    if (w_shown) begin
      `CHECK(w_valid && {w_data, w_strb, w_last} == shown_w)
    end
    aw_shown = aw_valid && !aw_ready;
    shown_aw = {aw_addr, aw_len};
    w_shown  = w_valid && !w_ready;
    shown_w  = {w_data, w_strb, w_last};

    if (aw_first) begin
      `CHECK(aw_addr % BusBytes == 0 && (aw_addr / BusBytes) % 16 + 32'(aw_len) < 16)
      burst_addrs.push_back(aw_addr);
      burst_beats.push_back(int'(aw_len) + 1);
    end

    // Data are shown from the cycle after they are sent on. Those of one burst may come while an address waits that is
    // not theirs.
    `CHECK(w_valid == (sent.size() > 0))
    if (w_valid) begin
      shown_bytes = 0;
      for (int i = 0; i < BusBytes; i++) shown_bytes = shown_bytes + int'(w_strb[i]);
      `CHECK(shown_bytes == sent[0] && w_strb != '0)
      `CHECK(burst_addrs.size() > 0 || (aw_valid && ahead_lasts == 0))
    end
    if (w_valid && w_ready) begin
      taken_data.push_back(w_data);
      taken_strb.push_back(w_strb);
      taken_last.push_back(w_last);
      ahead_lasts = ahead_lasts + int'(w_last);
      sent.delete(0);
    end
    `CHECK(busy == (out_bytes != '0))
    if (busy) sent.push_back(int'(out_bytes));
    `CHECK(sent.size() <= 2)
    while (taken_data.size() > 0 && burst_addrs.size() > 0) begin
      `CHECK(taken_last[0] == (burst_beats[0] == 1))
      first_data = taken_data[0];
      first_strb = taken_strb[0];
      for (int i = 0; i < BusBytes; i++) begin
        if (first_strb[i]) begin
          `CHECK(bytes.size() > 0 && bytes[0] == {burst_addrs[0] + 32'(i), first_data[i*8 +: 8]})
          bytes.delete(0);
        end
      end
      burst_addrs[0] = burst_addrs[0] + BusBytes;
      burst_beats[0] = burst_beats[0] - 1;
      if (burst_beats[0] == 0) begin
        burst_beats.delete(0);
        burst_addrs.delete(0);
        data_taken  = data_taken + 1;
        ahead_lasts = ahead_lasts - 1;
      end
      taken_data.delete(0);
      taken_strb.delete(0);
      taken_last.delete(0);
    end
    if (b_valid) begin
      `CHECK(b_ready)
      answers = answers - 1;
    end
    if (aw_valid && aw_ready) aw_taken = aw_taken + 1;
    // A burst is answered when both are there
    if (data_taken > 0 && aw_taken > 0) begin
      data_taken = data_taken - 1;
      aw_taken   = aw_taken - 1;
      answers    = answers + 1;
    end

    // Instructions and tokens
    if (issue) begin
      `CHECK(!halt && issued < started)
      issued = issued + 1;
    end
    `CHECK(token_pop == (issue && pops[0]))
    if (token_pop) begin
      `CHECK(tokens > 0)
      tokens = tokens - 1;
    end
    if (issue) begin
      pushes_due = pushes_due + int'(pushing[0]);
      pops.delete(0);
      pushing.delete(0);
    end
    if (retire) retired = retired + 1;
    `CHECK(retired <= issued)
    if (token_push) begin
      `CHECK(retire)
      pushes = pushes + 1;
    end
    `CHECK(pushes <= pushes_due)

    if (queue_valid && queue_ready) begin
      note();
      started = started + 1;
      queue_valid <= 1'b0;
    end
    `CHECK(cycle < 1000000)
  end
endmodule
