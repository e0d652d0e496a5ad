// A module without kernels.
// RUN: not headrace run %s 2>&1 | filecheck %s
// CHECK: :4:1: error: the file has no public function to compile
module {
}
