// A state to be reached as an assertion that it is not, so that a counterexample is the way there.
(* techmap_celltype = "$cover" *)
module cover_as_assertion (
  input A,
  input EN
);
  \$assert _TECHMAP_REPLACE_ (
    .A (!A),
    .EN(EN)
  );
endmodule
