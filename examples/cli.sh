#!/bin/sh
# A tour of the command line; run it from the checkout after `make run`.
set -eu
bin=.venv/bin/headrace
kernel=tests/corpus/elementwise/chain.mlir
out=out/examples

$bin devices
$bin run $kernel --device spyre-balanced --check=levels          # every level compared
$bin run $kernel --check=passes                                  # after every pass
$bin compile $kernel -o $out --emit=ktir,schedule,dfir,spyrecode # every level as text
$bin compile $kernel -o $out --save-ir $out/passes               # the IR after each pass
$bin opt $out/passes/*stage-coarsening.mlir --canonicalize > /dev/null
$bin objdump $out | head -40
$bin run $out --seed 7 --json | head -20                         # the directory alone is enough
