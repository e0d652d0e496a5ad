// An empty file.
// RUN: not headrace run %s 2>&1 | filecheck %s
// CHECK: :1:1: error: the file has no public function to compile
