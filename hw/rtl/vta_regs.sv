// SPDX-License-Identifier: Apache-2.0
// The AXI4-Lite slave: the registers of docs/hardware.md. One access at a time each way; every address answers, those of no
// register with zero. Ready signals do not depend on what comes in the same cycle.

module vta_regs #(
  localparam int AddressW = vta_pkg::RegAddressW
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,

  // AXI4-Lite
  input  logic                                    aw_valid_i,
  output logic                                    aw_ready_o,
  input  logic [AddressW-1:0]                     aw_addr_i,
  input  logic                                    w_valid_i,
  output logic                                    w_ready_o,
  input  logic [31:0]                             w_data_i,
  input  logic [3:0]                              w_strb_i,
  output logic                                    b_valid_o,
  input  logic                                    b_ready_i,
  output logic [1:0]                              b_resp_o,
  input  logic                                    ar_valid_i,
  output logic                                    ar_ready_o,
  input  logic [AddressW-1:0]                     ar_addr_i,
  output logic                                    r_valid_o,
  input  logic                                    r_ready_i,
  output logic [31:0]                             r_data_o,
  output logic [1:0]                              r_resp_o,

  // Core
  output logic                                    start_o,
  output logic [vta_pkg::AddressW-1:0]            insn_addr_o,
  output logic [vta_pkg::InsnCountW-1:0]          insn_count_o,
  output logic [vta_pkg::AddressW-1:0]            memory_last_o,
  output logic                                    abort_o,
  output logic [31:0]                             watchdog_o,
  input  logic                                    idle_i,
  input  logic                                    end_i,
  input  logic [vta_pkg::ErrorCauseW-1:0]         error_cause_i,
  input  logic [vta_pkg::InsnCountW-1:0]          error_insn_i,
  output logic [$clog2(vta_pkg::NumCounters)-1:0] counter_select_o,
  input  logic [63:0]                             counter_i,

  output logic                                    irq_o
);

  localparam int CountW  = vta_pkg::InsnCountW;
  localparam int SelectW = $clog2(vta_pkg::NumCounters);

  // Write: address and data together. They are there a cycle before they are taken, and AXI keeps them as they are until
  // then, so what starts or aborts a run is decoded ahead: a start resets half of the core's counters.
  logic        accept;  // both are there and will be taken in the next cycle
  logic        write;   // they are taken
  logic        start_q, abort_q;
  logic [31:0] mask, write_bits;
  logic [AddressW-1:0] write_addr;
  logic        is_control;

  assign aw_ready_o = write;
  assign w_ready_o  = write;
  assign write_addr = {aw_addr_i[AddressW-1:2], 2'b00};
  assign b_resp_o   = 2'b00;
  assign mask       = {{8{w_strb_i[3]}}, {8{w_strb_i[2]}}, {8{w_strb_i[1]}}, {8{w_strb_i[0]}}};
  assign write_bits = w_data_i & mask;
  assign is_control = write_addr == vta_pkg::RegControl;
  assign accept     = aw_valid_i && w_valid_i && !write && !b_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write   <= 1'b0;
      start_q <= 1'b0;
      abort_q <= 1'b0;
    end else begin
      write   <= accept;
      start_q <= accept && is_control && write_bits[vta_pkg::ControlStart];
      abort_q <= accept && is_control && write_bits[vta_pkg::ControlAbort];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)        b_valid_o <= 1'b0;
    else if (write)     b_valid_o <= 1'b1;
    else if (b_ready_i) b_valid_o <= 1'b0;
  end

  logic              done_q, error_q, irq_enable_q;
  logic [31:0]       insn_addr_q, insn_count_q, memory_last_q, watchdog_q;
  logic [63:0]       free_cycles_q;
  logic [31:0]       clear_status;

  assign start_o      = start_q && idle_i;
  assign abort_o      = abort_q;
  assign clear_status = (write && (write_addr == vta_pkg::RegStatus)) ? write_bits : '0;

  // Longer programs are cut to the longest that docs/isa.md allows: FINISH must be in it
  localparam logic [31:0] CountMax = vta_pkg::MaxInsns;
  assign insn_count_o  = (insn_count_q > CountMax) ? CountW'(CountMax) : CountW'(insn_count_q);
  assign insn_addr_o   = insn_addr_q;
  assign memory_last_o = memory_last_q;
  assign watchdog_o    = watchdog_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q        <= 1'b0;
      error_q       <= 1'b0;
      irq_enable_q  <= 1'b0;
      insn_addr_q   <= '0;
      insn_count_q  <= '0;
      memory_last_q <= '1;
      watchdog_q    <= '0;
      free_cycles_q <= '0;
    end else begin
      free_cycles_q <= free_cycles_q + 64'd1;
      if (write) begin
        case (write_addr)
          vta_pkg::RegIrqEnable:   if (mask[vta_pkg::IrqEnableEnd]) irq_enable_q <= write_bits[vta_pkg::IrqEnableEnd];
          vta_pkg::RegInsnAddress: insn_addr_q   <= (insn_addr_q & ~mask) | write_bits;
          vta_pkg::RegInsnCount:   insn_count_q  <= (insn_count_q & ~mask) | write_bits;
          vta_pkg::RegMemoryLast:  memory_last_q <= (memory_last_q & ~mask) | write_bits;
          vta_pkg::RegWatchdog:    watchdog_q    <= (watchdog_q & ~mask) | write_bits;
          default: ;
        endcase
      end
      if (start_o) begin
        done_q  <= 1'b0;
        error_q <= 1'b0;
      end else if (end_i) begin
        done_q  <= error_cause_i == vta_pkg::ErrNone;
        error_q <= error_cause_i != vta_pkg::ErrNone;
      end else begin
        if (clear_status[vta_pkg::StatusDone]) done_q  <= 1'b0;
        if (clear_status[vta_pkg::StatusError]) error_q <= 1'b0;
      end
    end
  end

  assign irq_o = irq_enable_q && (done_q || error_q);

  // Read
  logic        read, is_counter, is_high;
  logic [31:0] status, value, hash_low, hash_high, cycles_low, cycles_high, counter_low, counter_high, high_q;
  logic [AddressW-1:0] word_addr, counter_offset;

  assign ar_ready_o       = !r_valid_o;
  assign read             = ar_valid_i && ar_ready_o;
  assign r_resp_o         = 2'b00;
  assign counter_offset   = ar_addr_i - vta_pkg::RegCounters;
  assign is_counter       = (ar_addr_i >= vta_pkg::RegCounters) && (counter_offset < AddressW'(8 * vta_pkg::NumCounters));
  assign counter_select_o = is_counter ? counter_offset[3 +: SelectW] : '0;

  assign {hash_high, hash_low}       = vta_pkg::ConfigHash;
  assign {cycles_high, cycles_low}   = free_cycles_q;
  assign {counter_high, counter_low} = counter_i;
  assign is_high   = ar_addr_i[2];
  assign word_addr = {ar_addr_i[AddressW-1:2], 2'b00};

  always_comb begin
    status                          = '0;
    status[vta_pkg::StatusIdle]    = idle_i;
    status[vta_pkg::StatusRunning] = !idle_i;
    status[vta_pkg::StatusDone]    = done_q;
    status[vta_pkg::StatusError]   = error_q;
  end

  always_comb begin
    case (word_addr)
      vta_pkg::RegStatus:         value = status;
      vta_pkg::RegVersion:        value = vta_pkg::Version;
      vta_pkg::RegIrqEnable:      value = 32'(irq_enable_q) << vta_pkg::IrqEnableEnd;
      vta_pkg::RegConfigHash:     value = hash_low;
      (vta_pkg::RegConfigHash + AddressW'(4)): value = hash_high;
      vta_pkg::RegInsnCount:      value = insn_count_q;
      vta_pkg::RegInsnAddress:    value = insn_addr_q;
      vta_pkg::RegMemoryLast:     value = memory_last_q;
      vta_pkg::RegWatchdog:       value = watchdog_q;
      vta_pkg::RegErrorCause:     value = 32'(error_cause_i);
      vta_pkg::RegErrorInsn:      value = 32'(error_insn_i);
      vta_pkg::RegFreeCycles:     value = cycles_low;
      (vta_pkg::RegFreeCycles + AddressW'(4)): value = high_q;
      default: begin
        value = '0;
        if (is_counter) value = is_high ? high_q : counter_low;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)        r_valid_o <= 1'b0;
    else if (read)      r_valid_o <= 1'b1;
    else if (r_ready_i) r_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (read) r_data_o <= value;
  end

  // What counts does not stand still: reading the low word keeps the high one for the read that follows
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      high_q <= '0;
    end else if (read && !is_high) begin
      if (is_counter)                                   high_q <= counter_high;
      else if (word_addr == vta_pkg::RegFreeCycles) high_q <= cycles_high;
    end
  end

endmodule
