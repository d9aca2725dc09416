// Block RAMs of Xilinx's series 7 as user guide UG473 describes them, as far as synthesis makes use of them here:
// Yosys's own models of these two cells are empty. One clock for both ports, no output registers, no cascades, no error
// correction, no reset of the outputs, and nothing in them at first but zeros. Whatever else a cell asks for ends the
// simulation.
//
// Both cells are this memory with other address widths. Simple dual port: A reads and B writes, each up to the full
// width. True dual port: A writes, reads or both, and so does B, each up to half of it.

/* verilator lint_off DECLFILENAME */
module block_ram #(
  parameter integer Lanes    = 8,   // bytes of the full width, each with a parity bit
  parameter integer AddressW = 15,  // of single bits, parity not counted
  parameter         Mode     = "TDP",
  parameter         WriteModeA = "WRITE_FIRST",
  parameter         WriteModeB = "WRITE_FIRST",
  parameter integer ReadA  = 0,     // widths in bits, parity counted; 0: that side of the port is not used
  parameter integer ReadB  = 0,
  parameter integer WriteA = 0,
  parameter integer WriteB = 0
) (
  input                    clk,
  input                    en_a,
  input                    en_b,
  input  [AddressW-1:0]    addr_a,
  input  [AddressW-1:0]    addr_b,
  input  [Lanes/2-1:0]     we_a,
  input  [Lanes-1:0]       we_b,
  input  [4*Lanes-1:0]     di_a,
  input  [4*Lanes-1:0]     di_b,
  input  [Lanes/2-1:0]     dip_a,
  input  [Lanes/2-1:0]     dip_b,
  output reg [4*Lanes-1:0] do_a,
  output reg [4*Lanes-1:0] do_b,
  output reg [Lanes/2-1:0] dop_a,
  output reg [Lanes/2-1:0] dop_b
);

  localparam integer Words = 1 << (AddressW - 3);  // bytes
  localparam Simple = Mode == "SDP";

  reg [7:0] mem    [0:Words-1];
  reg       parity [0:Words-1];

  integer i;
  initial begin
    for (i = 0; i < Words; i = i + 1) begin
      mem[i]    = 8'd0;
      parity[i] = 1'b0;
    end
    // Narrower ports than a byte are not modelled: synthesis takes them for deep memories of a bit or two.
    if (!known(ReadA) || !known(ReadB) || !known(WriteA) || !known(WriteB)) $fatal(1, "%m: a width is not modelled");
    if (Simple && (ReadB != 0 || WriteA != 0)) $fatal(1, "%m: a simple port goes both ways");
    if (!Simple && (ReadA > 36 || ReadB > 36 || WriteA > 36 || WriteB > 36)) $fatal(1, "%m: a port is too wide");
  end

  function known(input integer width);
    known = width == 0 || width == 9 || width == 18 || width == 36 || width == 72;
  endfunction

  function integer first(input [AddressW-1:0] addr, input integer width);
    first = (addr >> 3) & ~(width / 9 - 1);
  endfunction

  // The data of the simple port are both ports' together where it has the full width, else the first one's.
  wire [8*Lanes-1:0] di_simple  = (WriteB == 9 * Lanes) ? {di_b, di_a} : {di_b, di_b};
  wire [Lanes-1:0]   dip_simple = (WriteB == 9 * Lanes) ? {dip_b, dip_a} : {dip_b, dip_b};

  // READ_FIRST of the writing port: who reads the same in that cycle has the old data. In the other modes what the
  // other port reads is undefined, here the opposite of what was there.
  reg [8*Lanes-1:0] word_a, word_b;
  reg [Lanes-1:0]   par_a, par_b;
  integer           base_a, base_b, l;
  reg               hit;

  always @(posedge clk) begin
    base_a = first(addr_a, ReadA);
    base_b = first(addr_b, ReadB);
    if (en_a && ReadA != 0) begin
      for (l = 0; l < Lanes; l = l + 1) begin
        if (l < ReadA / 9) begin
          hit = WriteModeB != "READ_FIRST" && WriteB != 0 && en_b && writes_b(base_a + l);
          word_a[l*8 +: 8] = mem[base_a + l] ^ {8{hit}};
          par_a[l]         = parity[base_a + l] ^ hit;
        end else begin
          word_a[l*8 +: 8] = 8'd0;
          par_a[l]         = 1'b0;
        end
      end
      if (WriteA == 0 || we_a == 0 || WriteModeA == "READ_FIRST") begin
        do_a  <= word_a[0 +: 4*Lanes];
        dop_a <= par_a[0 +: Lanes/2];
      end else if (WriteModeA == "WRITE_FIRST") begin
        $fatal(1, "%m: WRITE_FIRST of one port is not modelled");
      end
      if (Simple) begin
        do_b  <= word_a[4*Lanes +: 4*Lanes];
        dop_b <= par_a[Lanes/2 +: Lanes/2];
      end
    end
    if (en_b && ReadB != 0) begin
      for (l = 0; l < Lanes; l = l + 1) begin
        if (l < ReadB / 9) begin
          hit = WriteModeA != "READ_FIRST" && WriteA != 0 && en_a && writes_a(base_b + l);
          word_b[l*8 +: 8] = mem[base_b + l] ^ {8{hit}};
          par_b[l]         = parity[base_b + l] ^ hit;
        end else begin
          word_b[l*8 +: 8] = 8'd0;
          par_b[l]         = 1'b0;
        end
      end
      if (WriteB == 0 || we_b == 0 || WriteModeB == "READ_FIRST") begin
        do_b  <= word_b[0 +: 4*Lanes];
        dop_b <= par_b[0 +: Lanes/2];
      end else if (WriteModeB == "WRITE_FIRST") begin
        $fatal(1, "%m: WRITE_FIRST of one port is not modelled");
      end
    end
    // Reads above see what was there before
    if (en_a && WriteA != 0) begin
      base_a = first(addr_a, WriteA);
      for (l = 0; l < Lanes / 2; l = l + 1) begin
        if (l < WriteA / 9 && we_a[l]) begin
          mem[base_a + l]    = di_a[l*8 +: 8];
          parity[base_a + l] = dip_a[l];
        end
      end
    end
    if (en_b && WriteB != 0) begin
      base_b = first(addr_b, WriteB);
      for (l = 0; l < Lanes; l = l + 1) begin
        if (l < WriteB / 9 && we_b[l]) begin
          mem[base_b + l]    = Simple ? di_simple[l*8 +: 8] : di_b[(l%(Lanes/2))*8 +: 8];
          parity[base_b + l] = Simple ? dip_simple[l] : dip_b[l%(Lanes/2)];
        end
      end
    end
  end

  function writes_a(input integer byte_index);
    integer lane;
    lane     = byte_index - first(addr_a, WriteA);
    writes_a = lane >= 0 && lane < WriteA / 9 && we_a[lane[$clog2(Lanes)-2:0]];
  endfunction

  function writes_b(input integer byte_index);
    integer lane;
    lane     = byte_index - first(addr_b, WriteB);
    writes_b = lane >= 0 && lane < WriteB / 9 && we_b[lane[$clog2(Lanes)-1:0]];
  endfunction

endmodule

// The pins that are not used must be at rest.
`define BLOCK_RAM_PARAMETERS \
  parameter integer DOA_REG = 0, \
  parameter integer DOB_REG = 0, \
  parameter RAM_MODE = "TDP", \
  parameter RDADDR_COLLISION_HWCONFIG = "DELAYED_WRITE", \
  parameter integer READ_WIDTH_A = 0, \
  parameter integer READ_WIDTH_B = 0, \
  parameter integer WRITE_WIDTH_A = 0, \
  parameter integer WRITE_WIDTH_B = 0, \
  parameter WRITE_MODE_A = "WRITE_FIRST", \
  parameter WRITE_MODE_B = "WRITE_FIRST", \
  parameter RAM_EXTENSION_A = "NONE", \
  parameter RAM_EXTENSION_B = "NONE", \
  parameter INIT_A = 0, \
  parameter INIT_B = 0, \
  parameter SRVAL_A = 0, \
  parameter SRVAL_B = 0

`define BLOCK_RAM_CHECKS \
  initial if (DOA_REG != 0 || DOB_REG != 0 || RAM_EXTENSION_A != "NONE" || RAM_EXTENSION_B != "NONE") \
    $fatal(1, "%m: this is not modelled"); \
  always @(posedge CLKARDCLK) if (RSTRAMARSTRAM || RSTRAMB || RSTREGARSTREG || RSTREGB) \
    $fatal(1, "%m: a reset of the outputs is not modelled");

module RAMB18E1 #(
  `BLOCK_RAM_PARAMETERS
) (
  input         CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB,
  input         RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB,
  input  [13:0] ADDRARDADDR, ADDRBWRADDR,
  input  [15:0] DIADI, DIBDI,
  input  [1:0]  DIPADIP, DIPBDIP, WEA,
  input  [3:0]  WEBWE,
  output [15:0] DOADO, DOBDO,
  output [1:0]  DOPADOP, DOPBDOP
);
  `BLOCK_RAM_CHECKS

  block_ram #(
    .Lanes(4), .AddressW(14), .Mode(RAM_MODE), .WriteModeA(WRITE_MODE_A), .WriteModeB(WRITE_MODE_B),
    .ReadA(READ_WIDTH_A), .ReadB(READ_WIDTH_B), .WriteA(WRITE_WIDTH_A), .WriteB(WRITE_WIDTH_B)
  ) ram (
    .clk(CLKARDCLK), .en_a(ENARDEN), .en_b(ENBWREN), .addr_a(ADDRARDADDR), .addr_b(ADDRBWRADDR),
    .we_a(WEA), .we_b(WEBWE), .di_a(DIADI), .di_b(DIBDI), .dip_a(DIPADIP), .dip_b(DIPBDIP),
    .do_a(DOADO), .do_b(DOBDO), .dop_a(DOPADOP), .dop_b(DOPBDOP)
  );
endmodule

module RAMB36E1 #(
  `BLOCK_RAM_PARAMETERS,
  parameter EN_ECC_READ = "FALSE",
  parameter EN_ECC_WRITE = "FALSE"
) (
  input         CLKARDCLK, CLKBWRCLK, ENARDEN, ENBWREN, REGCEAREGCE, REGCEB,
  input         RSTRAMARSTRAM, RSTRAMB, RSTREGARSTREG, RSTREGB,
  input         CASCADEINA, CASCADEINB, INJECTDBITERR, INJECTSBITERR,
  input  [15:0] ADDRARDADDR, ADDRBWRADDR,
  input  [31:0] DIADI, DIBDI,
  input  [3:0]  DIPADIP, DIPBDIP, WEA,
  input  [7:0]  WEBWE,
  output [31:0] DOADO, DOBDO,
  output [3:0]  DOPADOP, DOPBDOP,
  output        CASCADEOUTA, CASCADEOUTB, SBITERR, DBITERR,
  output [7:0]  ECCPARITY,
  output [8:0]  RDADDRECC
);
  `BLOCK_RAM_CHECKS

  block_ram #(
    .Lanes(8), .AddressW(15), .Mode(RAM_MODE), .WriteModeA(WRITE_MODE_A), .WriteModeB(WRITE_MODE_B),
    .ReadA(READ_WIDTH_A), .ReadB(READ_WIDTH_B), .WriteA(WRITE_WIDTH_A), .WriteB(WRITE_WIDTH_B)
  ) ram (
    .clk(CLKARDCLK), .en_a(ENARDEN), .en_b(ENBWREN), .addr_a(ADDRARDADDR[14:0]), .addr_b(ADDRBWRADDR[14:0]),
    .we_a(WEA), .we_b(WEBWE), .di_a(DIADI), .di_b(DIBDI), .dip_a(DIPADIP), .dip_b(DIPBDIP),
    .do_a(DOADO), .do_b(DOBDO), .dop_a(DOPADOP), .dop_b(DOPBDOP)
  );
endmodule
