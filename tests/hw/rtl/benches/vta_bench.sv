// SPDX-License-Identifier: Apache-2.0
// The whole core from power-on on a program in memory, its RTL or a netlist, with registers that nothing has set yet
// unknown. Nothing unknown may ever reach what others act on: what its ports say besides data, and what its registers
// show. What the host and the memory do not drive is unknown as well.
//
// +program=FILE is memory, a byte a line; +insns=N instructions lie at byte +address=N. At the end memory goes to the
// file memory.out in the same format, and the registers are printed, one a line: offset and value, in hexadecimal.
module vta_bench;
  `include "bench.svh"

  localparam int AddressW = vta_pkg::RegAddressW;
  localparam int BusW     = vta_pkg::BusW;
  localparam int BusBytes = BusW / 8;
  localparam int DramLog  = 18;
  localparam int LastRegister = int'(vta_pkg::RegCounters) + 8 * vta_pkg::NumCounters - 4;

  // Host
  logic                s_aw_valid = 1'b0, s_aw_ready, s_w_valid = 1'b0, s_w_ready, s_b_valid, s_b_ready = 1'b0;
  logic                s_ar_valid = 1'b0, s_ar_ready, s_r_valid, s_r_ready = 1'b0, irq;
  logic [AddressW-1:0] s_aw_addr, s_ar_addr;
  logic [31:0]         s_w_data, s_r_data;
  logic [3:0]          s_w_strb;
  logic [1:0]          s_b_resp, s_r_resp;

  // Memory
  logic                m_ar_valid, m_ar_ready = 1'b0, m_r_valid = 1'b0, m_r_ready, m_r_last;
  logic                m_aw_valid, m_aw_ready = 1'b0, m_w_valid, m_w_ready = 1'b0, m_w_last;
  logic                m_b_valid = 1'b0, m_b_ready;
  logic [31:0]         m_ar_addr, m_aw_addr;
  logic [7:0]          m_ar_len, m_aw_len;
  logic [2:0]          m_ar_size, m_aw_size;
  logic [1:0]          m_ar_burst, m_aw_burst, m_r_resp, m_b_resp;
  logic [BusW-1:0]     m_r_data, m_w_data;
  logic [BusBytes-1:0] m_w_strb;
  logic [8:0]          trace;

  vta u_dut (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .m_rst_ni    (rst_n),
    .irq_o       (irq),
    .s_aw_valid_i(s_aw_valid),
    .s_aw_ready_o(s_aw_ready),
    .s_aw_addr_i (s_aw_addr),
    .s_w_valid_i (s_w_valid),
    .s_w_ready_o (s_w_ready),
    .s_w_data_i  (s_w_data),
    .s_w_strb_i  (s_w_strb),
    .s_b_valid_o (s_b_valid),
    .s_b_ready_i (s_b_ready),
    .s_b_resp_o  (s_b_resp),
    .s_ar_valid_i(s_ar_valid),
    .s_ar_ready_o(s_ar_ready),
    .s_ar_addr_i (s_ar_addr),
    .s_r_valid_o (s_r_valid),
    .s_r_ready_i (s_r_ready),
    .s_r_data_o  (s_r_data),
    .s_r_resp_o  (s_r_resp),
    .m_ar_valid_o(m_ar_valid),
    .m_ar_ready_i(m_ar_ready),
    .m_ar_addr_o (m_ar_addr),
    .m_ar_len_o  (m_ar_len),
    .m_ar_size_o (m_ar_size),
    .m_ar_burst_o(m_ar_burst),
    .m_r_valid_i (m_r_valid),
    .m_r_ready_o (m_r_ready),
    .m_r_data_i  (m_r_data),
    .m_r_resp_i  (m_r_resp),
    .m_r_last_i  (m_r_last),
    .m_aw_valid_o(m_aw_valid),
    .m_aw_ready_i(m_aw_ready),
    .m_aw_addr_o (m_aw_addr),
    .m_aw_len_o  (m_aw_len),
    .m_aw_size_o (m_aw_size),
    .m_aw_burst_o(m_aw_burst),
    .m_w_valid_o (m_w_valid),
    .m_w_ready_i (m_w_ready),
    .m_w_data_o  (m_w_data),
    .m_w_strb_o  (m_w_strb),
    .m_w_last_o  (m_w_last),
    .m_b_valid_i (m_b_valid),
    .m_b_ready_o (m_b_ready),
    .m_b_resp_i  (m_b_resp),
    .trace_o     (trace)
  );

  // Memory: answers in order, whenever it likes -----------------------------------------------------------------------

  logic [7:0]  dram [0:(1 << DramLog) - 1];
  logic [31:0] r_addrs [$], w_addrs [$];
  int          r_lefts [$], w_lefts [$];
  int          responses = 0;
  int          ar_percent = 50, r_percent = 50, aw_percent = 50, w_percent = 50, b_percent = 50;
  int          at;

  always @(negedge clk) begin
    if (cycle % 64 == 0) begin
      // Now and then each of them, for the program is to end
      ar_percent = 1 + percentage();
      r_percent  = 1 + percentage();
      aw_percent = 1 + percentage();
      w_percent  = 1 + percentage();
      b_percent  = 1 + percentage();
    end
    m_ar_ready = chance(ar_percent);
    m_aw_ready = chance(aw_percent);
    m_w_ready  = (w_addrs.size() > 0) && chance(w_percent);
    m_r_valid  = (r_addrs.size() > 0) && chance(r_percent);
    m_r_data   = 'x;
    m_r_resp   = 'x;
    m_r_last   = 1'bx;
    if (m_r_valid) begin
      at = int'(r_addrs[0]);
      for (int i = 0; i < BusBytes; i++) m_r_data[i*8 +: 8] = dram[at + i];
      m_r_resp = 2'b00;
      m_r_last = r_lefts[0] == 1;
    end
    m_b_valid = (responses > 0) && chance(b_percent);
    m_b_resp  = m_b_valid ? 2'b00 : 2'bxx;
  end

  always @(posedge clk) if (rst_n) begin
    if (m_r_valid && m_r_ready) begin
      r_addrs[0] = r_addrs[0] + BusBytes;
      r_lefts[0] = r_lefts[0] - 1;
      if (r_lefts[0] == 0) begin
        r_addrs.delete(0);
        r_lefts.delete(0);
      end
    end
    if (m_ar_valid && m_ar_ready) begin
      `CHECK(m_ar_addr < (1 << DramLog))
      r_addrs.push_back(m_ar_addr & ~32'(BusBytes - 1));
      r_lefts.push_back(int'(m_ar_len) + 1);
    end
    if (m_b_valid && m_b_ready) responses = responses - 1;
    if (m_w_valid && m_w_ready) begin
      at = int'(w_addrs[0]);
      for (int i = 0; i < BusBytes; i++) if (m_w_strb[i]) dram[at + i] = m_w_data[i*8 +: 8];
      `CHECK(m_w_last == (w_lefts[0] == 1))
      w_addrs[0] = w_addrs[0] + BusBytes;
      w_lefts[0] = w_lefts[0] - 1;
      if (w_lefts[0] == 0) begin
        w_addrs.delete(0);
        w_lefts.delete(0);
        responses = responses + 1;
      end
    end
    if (m_aw_valid && m_aw_ready) begin
      `CHECK(m_aw_addr < (1 << DramLog))
      w_addrs.push_back(m_aw_addr & ~32'(BusBytes - 1));
      w_lefts.push_back(int'(m_aw_len) + 1);
    end
  end

  // Nothing unknown ---------------------------------------------------------------------------------------------------

  `define KNOWN(signals_) `CHECK((^(signals_)) !== 1'bx)

  // Whatever the core was before, the first edge in reset has made it quiet
  always @(posedge clk) if (cycle > 0) begin
    `KNOWN({irq, s_aw_ready, s_w_ready, s_b_valid, s_ar_ready, s_r_valid})
    `KNOWN({m_ar_valid, m_r_ready, m_aw_valid, m_w_valid, m_b_ready})
    if (m_ar_valid) `KNOWN({m_ar_addr, m_ar_len, m_ar_size, m_ar_burst})
    if (m_aw_valid) `KNOWN({m_aw_addr, m_aw_len, m_aw_size, m_aw_burst})
    if (m_w_valid) `KNOWN({m_w_last, m_w_strb})
    if (s_b_valid) `KNOWN(s_b_resp)
    if (s_r_valid) `KNOWN({s_r_resp, s_r_data})
    if (rst_n) begin
      `KNOWN(trace)
    end else begin
      `CHECK({m_ar_valid, m_aw_valid, m_w_valid, s_b_valid, s_r_valid} == '0)
    end
  end

  // The host ----------------------------------------------------------------------------------------------------------

  task automatic write_register(input logic [AddressW-1:0] address, input logic [31:0] value);
    @(negedge clk);
    s_aw_valid = 1'b1;
    s_w_valid  = 1'b1;
    s_aw_addr  = address;
    s_w_data   = value;
    s_w_strb   = 4'hf;
    s_b_ready  = 1'b1;
    while (s_aw_valid || s_w_valid) begin
      @(posedge clk);
      #1;
      if (s_aw_taken) begin
        s_aw_valid = 1'b0;
        s_aw_addr  = 'x;
      end
      if (s_w_taken) begin
        s_w_valid = 1'b0;
        s_w_data  = 'x;
        s_w_strb  = 'x;
      end
    end
    while (!s_b_taken) begin
      @(posedge clk);
      #1;
    end
    @(negedge clk);
    s_b_ready = 1'b0;
  endtask

  task automatic read_register(input logic [AddressW-1:0] address, output logic [31:0] value);
    @(negedge clk);
    s_ar_valid = 1'b1;
    s_ar_addr  = address;
    s_r_ready  = 1'b1;
    while (s_ar_valid) begin
      @(posedge clk);
      #1;
      if (s_ar_taken) begin
        s_ar_valid = 1'b0;
        s_ar_addr  = 'x;
      end
    end
    while (!s_r_taken) begin
      @(posedge clk);
      #1;
    end
    value = s_r_was;
    @(negedge clk);
    s_r_ready = 1'b0;
  endtask

  // What passed at the last edge
  logic        s_aw_taken = 1'b0, s_w_taken = 1'b0, s_b_taken = 1'b0, s_ar_taken = 1'b0, s_r_taken = 1'b0;
  logic [31:0] s_r_was;

  always @(posedge clk) begin
    s_aw_taken = s_aw_valid && s_aw_ready;
    s_w_taken  = s_w_valid && s_w_ready;
    s_b_taken  = s_b_valid && s_b_ready;
    s_ar_taken = s_ar_valid && s_ar_ready;
    s_r_taken  = s_r_valid && s_r_ready;
    if (s_r_taken) s_r_was = s_r_data;
  end

  string       program_file;
  integer      insns, address;
  logic [31:0] value;

  initial begin
    if (!$value$plusargs("program=%s", program_file)) $finish;
    if (!$value$plusargs("insns=%d", insns)) $finish;
    if (!$value$plusargs("address=%d", address)) $finish;
    $readmemh(program_file, dram);
    @(posedge rst_n);
    for (int r = 0; r <= LastRegister; r += 4) read_register(AddressW'(r), value);
    write_register(AddressW'(vta_pkg::RegInsnAddress), address);
    write_register(AddressW'(vta_pkg::RegInsnCount), insns);
    write_register(AddressW'(vta_pkg::RegMemoryLast), (1 << DramLog) - 1);
    write_register(AddressW'(vta_pkg::RegIrqEnable), 32'd1 << vta_pkg::IrqEnableEnd);
    write_register(AddressW'(vta_pkg::RegControl), 32'd1 << vta_pkg::ControlStart);
    while (!irq) @(negedge clk);
    for (int r = 0; r <= LastRegister; r += 4) begin
      read_register(AddressW'(r), value);
      $display("%h %h", 16'(r), value);
    end
    $writememh("memory.out", dram);
    $finish;
  end

  always @(posedge clk) `CHECK(cycle < 400000)
endmodule
