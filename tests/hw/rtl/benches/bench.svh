// SPDX-License-Identifier: Apache-2.0
// What every bench of a module has: a clock, a reset, a seed (+seed=N), random choices, a check, an end.
//
// Inputs change at the falling edge; outputs are checked, and what went over the interfaces is noted, at the rising one.
// Valid and ready signals are raised with probabilities that change every 64 cycles and are often 0 or 100 %, so that
// every side meets a partner that is always, never and now and then there.

logic   clk   = 1'b0;
logic   rst_n = 1'b0;
integer given = 1;
integer seed;   // moves on with every choice
integer cycle = 0;

always #5 clk = ~clk;

initial begin
  if (!$value$plusargs("seed=%d", given)) given = 1;
  seed = given;
  repeat (3) @(negedge clk);
  rst_n = 1'b1;
end

always @(posedge clk) cycle <= cycle + 1;

// A number from 0 to n - 1
function automatic int below(input int n);
  below = int'($unsigned($random(seed)) % n);
endfunction

function automatic logic chance(input int percent);
  chance = below(100) < percent;
endfunction

// 0, 100, or anything between
function automatic int percentage();
  case (below(4))
    0:       percentage = 0;
    1:       percentage = 100;
    default: percentage = below(100);
  endcase
endfunction

function automatic logic [511:0] random_bits();
  for (int i = 0; i < 16; i++) random_bits[i*32 +: 32] = $random(seed);
endfunction

// Unknown bits fail as well
`define CHECK(cond_) \
  if ((cond_) !== 1'b1) begin \
    $display("FAIL %m, seed %0d, cycle %0d: %s", given, cycle, `"cond_`"); \
    $finish; \
  end

task automatic pass;
  $display("PASS");
  $finish;
endtask
