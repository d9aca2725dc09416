// SPDX-License-Identifier: Apache-2.0
// The register slave against a list of registers: address and data in any order, strobes, back-pressure on both answers,
// ready signals that do not follow from what comes in the same cycle.
module vta_regs_bench;
  `include "bench.svh"

  localparam int CountW = vta_pkg::InsnCountW;

  logic              aw_valid = 1'b0, aw_ready, w_valid = 1'b0, w_ready, b_valid, b_ready = 1'b0;
  logic              ar_valid = 1'b0, ar_ready, r_valid, r_ready = 1'b0;
  logic [11:0]       aw_addr = '0, ar_addr = '0;
  logic [31:0]       w_data = '0, r_data;
  logic [3:0]        w_strb = '0;
  logic [1:0]        b_resp, r_resp;
  logic              start, idle = 1'b1, run_end = 1'b0, irq;
  logic [31:0]       insn_addr, memory_last;
  logic [CountW-1:0] insn_count, error_insn = '0;
  logic [2:0]        error_cause = '0;
  logic [$clog2(vta_pkg::NumCounters)-1:0] counter_select;
  logic [63:0]       counter;

  // Counters that all change in every cycle
  assign counter = {32'(cycle) * 32'd7 + 32'(counter_select), ~(32'(cycle) * 32'd5 + 32'(counter_select))};

  vta_regs u_dut (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .aw_valid_i      (aw_valid),
    .aw_ready_o      (aw_ready),
    .aw_addr_i       (aw_addr),
    .w_valid_i       (w_valid),
    .w_ready_o       (w_ready),
    .w_data_i        (w_data),
    .w_strb_i        (w_strb),
    .b_valid_o       (b_valid),
    .b_ready_i       (b_ready),
    .b_resp_o        (b_resp),
    .ar_valid_i      (ar_valid),
    .ar_ready_o      (ar_ready),
    .ar_addr_i       (ar_addr),
    .r_valid_o       (r_valid),
    .r_ready_i       (r_ready),
    .r_data_o        (r_data),
    .r_resp_o        (r_resp),
    .start_o         (start),
    .insn_addr_o     (insn_addr),
    .insn_count_o    (insn_count),
    .memory_last_o   (memory_last),
    .idle_i          (idle),
    .end_i           (run_end),
    .error_cause_i   (error_cause),
    .error_insn_i    (error_insn),
    .counter_select_o(counter_select),
    .counter_i       (counter),
    .irq_o           (irq)
  );

  // The registers as they should be
  logic [31:0] model_addr = '0, model_count = '0, model_last = '1, high = '0, expected, bits, mask;
  logic [63:0] free = '0;
  logic        model_done = 1'b0, model_error = 1'b0, model_irq = 1'b0, reading = 1'b0, answering = 1'b0;
  logic        aw_was = 1'b0, w_was = 1'b0;
  int          starts = 0, reads = 0, writes = 0, counters = 0;
  int          write_percent = 50, read_percent = 50, b_percent = 50, r_percent = 50;

  // Every register, also in its middle, and some that are none
  function automatic logic [11:0] address();
    case (below(12))
      0:       address = 12'(vta_pkg::RegControl);
      1:       address = 12'(vta_pkg::RegStatus);
      2:       address = 12'(vta_pkg::RegIrqEnable);
      3:       address = 12'(vta_pkg::RegInsnCount);
      4:       address = 12'(vta_pkg::RegInsnAddress);
      5:       address = 12'(vta_pkg::RegMemoryLast);
      6:       address = 12'(vta_pkg::RegVersion);
      7:       address = 12'(vta_pkg::RegConfigHash) + 12'(4 * below(2));
      8:       address = 12'(vta_pkg::RegFreeCycles) + 12'(4 * below(2));
      9, 10:   address = 12'(vta_pkg::RegCounters) + 12'(4 * below(2 * vta_pkg::NumCounters + 2));
      default: address = 12'(4 * below(1024));
    endcase
    if (below(4) == 0) address = address + 12'(below(4));
  endfunction

  function automatic logic [31:0] value_at(input logic [11:0] at);
    logic [11:0] word;
    word     = {at[11:2], 2'b00};
    value_at = '0;
    if (word == 12'(vta_pkg::RegStatus))             value_at = {28'd0, model_error, model_done, !idle, idle};
    else if (word == 12'(vta_pkg::RegVersion))       value_at = vta_pkg::Version;
    else if (word == 12'(vta_pkg::RegIrqEnable))     value_at = {31'd0, model_irq};
    else if (word == 12'(vta_pkg::RegInsnCount))     value_at = model_count;
    else if (word == 12'(vta_pkg::RegInsnAddress))   value_at = model_addr;
    else if (word == 12'(vta_pkg::RegMemoryLast))    value_at = model_last;
    else if (word == 12'(vta_pkg::RegErrorCause))    value_at = 32'(error_cause);
    else if (word == 12'(vta_pkg::RegErrorInsn))     value_at = 32'(error_insn);
    else if (word == 12'(vta_pkg::RegConfigHash))    value_at = 32'(vta_pkg::ConfigHash);
    else if (word == 12'(vta_pkg::RegConfigHash + 4)) value_at = 32'(vta_pkg::ConfigHash >> 32);
    else if (word == 12'(vta_pkg::RegFreeCycles))    value_at = free[31:0];
    else if (word == 12'(vta_pkg::RegFreeCycles + 4)) value_at = high;
    else if (is_counter(word))                       value_at = at[2] ? high : counter[31:0];
  endfunction

  function automatic logic is_counter(input logic [11:0] word);
    is_counter = (word >= 12'(vta_pkg::RegCounters)) && (word < 12'(vta_pkg::RegCounters + 8 * vta_pkg::NumCounters));
  endfunction

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      write_percent = percentage();
      read_percent  = percentage();
      b_percent     = percentage();
      r_percent     = percentage();
    end
    if (!aw_valid && rst_n && chance(write_percent)) begin
      aw_valid = 1'b1;
      aw_addr  = address();
    end
    if (!w_valid && rst_n && chance(write_percent)) begin
      w_valid = 1'b1;
      w_data  = (below(2) == 0) ? 32'(below(16)) : $random(seed);
      w_strb  = (below(2) == 0) ? 4'hf : 4'(below(16));
    end
    if (!ar_valid && rst_n && chance(read_percent)) begin
      ar_valid = 1'b1;
      ar_addr  = address();
    end
    b_ready = chance(b_percent);
    r_ready = chance(r_percent);
    run_end = !idle && (below(20) == 0);
    if (run_end) begin
      error_cause = (below(2) == 0) ? 3'd0 : 3'(1 + below(6));
      error_insn  = CountW'(below(1000));
    end
  end

  always @(posedge clk) if (rst_n) begin
    `CHECK(b_resp == 2'b00 && r_resp == 2'b00)
    `CHECK(insn_addr == model_addr && memory_last == model_last)
    `CHECK(32'(insn_count) == ((model_count > 32'd1 << (CountW - 1)) ? 32'd1 << (CountW - 1) : model_count))
    `CHECK(irq == (model_irq && (model_done || model_error)))

    // Ready in this cycle was decided in the last one
    `CHECK(aw_ready == w_ready)
    if (aw_ready) begin
      `CHECK(aw_was && w_was && aw_valid && w_valid && !answering)
    end
    aw_was = aw_valid && !aw_ready;
    w_was  = w_valid && !w_ready;
    `CHECK(b_valid == answering)
    if (b_valid && b_ready) answering = 1'b0;
    `CHECK(r_valid == reading)
    if (r_valid) begin
      `CHECK(r_data == expected)
      if (r_ready) reading = 1'b0;
    end else begin
      `CHECK(ar_ready)
    end
    if (ar_valid && ar_ready) begin
      expected = value_at(ar_addr);
      if (is_counter({ar_addr[11:2], 2'b00})) counters = counters + 1;
      if (!ar_addr[2] && is_counter({ar_addr[11:2], 2'b00})) high = counter[63:32];
      if ({ar_addr[11:2], 2'b00} == 12'(vta_pkg::RegFreeCycles)) high = free[63:32];
      reading  = 1'b1;
      reads    = reads + 1;
      ar_valid <= 1'b0;
    end

    // Writes
    bits = '0;
    if (aw_valid && aw_ready) begin
      mask = {{8{w_strb[3]}}, {8{w_strb[2]}}, {8{w_strb[1]}}, {8{w_strb[0]}}};
      bits = w_data & mask;
      `CHECK(start == (({aw_addr[11:2], 2'b00} == 12'(vta_pkg::RegControl)) && bits[0] && idle))
      answering = 1'b1;
      writes    = writes + 1;
      case ({aw_addr[11:2], 2'b00})
        12'(vta_pkg::RegIrqEnable):   if (mask[0]) model_irq = bits[0];
        12'(vta_pkg::RegInsnAddress): model_addr  = (model_addr & ~mask) | bits;
        12'(vta_pkg::RegInsnCount):   model_count = (model_count & ~mask) | bits;
        12'(vta_pkg::RegMemoryLast):  model_last  = (model_last & ~mask) | bits;
        default: ;
      endcase
      aw_valid <= 1'b0;
      w_valid  <= 1'b0;
    end else begin
      `CHECK(!start)
    end
    if (start) begin
      {model_done, model_error} = 2'b00;
      idle   <= 1'b0;
      starts = starts + 1;
    end else if (run_end) begin
      model_done  = error_cause == 3'd0;
      model_error = error_cause != 3'd0;
      idle        <= 1'b1;
    end else if (aw_ready && ({aw_addr[11:2], 2'b00} == 12'(vta_pkg::RegStatus))) begin
      if (bits[2]) model_done = 1'b0;
      if (bits[3]) model_error = 1'b0;
    end
    free = free + 64'd1;
    if (cycle == 30000) begin
      `CHECK(starts > 50 && reads > 1000 && writes > 1000 && counters > 100)
      pass();
    end
  end
endmodule
