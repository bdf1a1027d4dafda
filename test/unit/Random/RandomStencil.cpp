//===- RandomStencil.cpp - Nests that are no convolutions -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomConvolution.h"

namespace convopt::test {

void RandomConvolution::product() {
  Dim m{"y", size("M", 1, 9)}, n{"x", size("N", 1, 12)},
      k{"k", size("K", 1, 9)};
  const std::string a = array("A", {{m.extent, m.loop}, {k.extent, k.loop}},
                              "input", longer(k.extent));
  const std::string b = array("B", {{k.extent, k.loop}, {n.extent, n.loop}},
                              "input", longer(n.extent));
  sum(array("C", {{m.extent, m.loop}, {n.extent, n.loop}}, "output"), {m, n},
      {k}, "", a + " * " + b, false);
}

/// Neighbours of an element, all named, and what is left of a second array.
void RandomConvolution::stencil() {
  Dim y{"y", size("H", 1, 9)}, x{"x", size("W", 1, 12)};
  const std::string first =
      array("a", {{y.extent + " + 2", "y + 1"}, {x.extent + " + 2", "x + 1"}},
            "input");
  auto at = [&](unsigned dy, unsigned dx) {
    std::string text = first;
    text.replace(text.find("y + 1"), 5, "y + " + std::to_string(dy));
    return text.replace(text.find("x + 1"), 5, "x + " + std::to_string(dx));
  };
  std::string value = "4 * " + at(1, 1);
  for (unsigned n = random.between(1, 4); n != 0; --n)
    value += (random.chance(50) ? " + " : " - ") +
             at(random.pick(3), random.pick(3));
  const bool adds = random.chance(30);
  const std::string b =
      array("b", {{y.extent, "y"}, {x.extent, "x"}}, adds ? "inout" : "output");
  std::string second;
  if (random.chance(30))
    second = array("d", {{x.extent, "x"}, {y.extent, "y"}}, "output");
  open(y);
  open(x);
  if (random.chance(30))
    line("if x - y + " + std::to_string(random.pick(4)) + " >= 0 {");
  statement(b + (adds ? " += " : " = ") + value);
  if (!second.empty())
    statement(second + " = 2 * " + at(1, 2) + " + index(x)");
  close(indent);
}

/// A stencil whose steps in time follow one another.
void RandomConvolution::inTime() {
  Dim t{"t", size("T", 1, 4)}, x{"x", size("W", 1, 12)},
      y{"y", size("H", 1, 6)};
  const std::string to = array("a",
                               {{t.extent + " + 1", "t + 1"},
                                {y.extent + " + 2", "y + 1"},
                                {x.extent + " + 2", "x + 1"}},
                               "inout");
  auto from = [&](unsigned dy, unsigned dx) {
    std::string text = to;
    text.replace(text.find("t + 1"), 5, "t");
    text.replace(text.find("y + 1"), 5, "y + " + std::to_string(dy));
    return text.replace(text.find("x + 1"), 5, "x + " + std::to_string(dx));
  };
  open(t);
  open(y);
  open(x);
  statement(to + " = 2 * " + from(1, 1) + " + " +
            from(random.pick(3), random.pick(3)) + " - " +
            from(random.pick(3), random.pick(3)));
  close(3);
}

/// Each input adds to the outputs around it, in one or two dimensions.
void RandomConvolution::scatter() {
  std::vector<Dim> outer, inputs, taps;
  Access x, w, y;
  if (random.chance(50)) {
    outer.push_back({"o", size("O", 1, 3)});
    y.push_back({outer[0].extent, "o"});
    w.push_back({outer[0].extent, "o"});
  }
  if (random.chance(40)) {
    inputs.push_back({"c", size("C", 1, 3)});
    x.push_back({inputs[0].extent, "c"});
    w.push_back({inputs[0].extent, "c"});
  }
  const bool isPlane = random.chance(50);
  for (const char *d : {"y", "x"}) {
    if (!isPlane && d[0] == 'y')
      continue;
    const Dim in{d, size(d[0] == 'y' ? "H" : "W", 1, 9)},
        tap{std::string("k") + d, size(d[0] == 'y' ? "KH" : "KW", 1, 3)};
    const std::string stride = std::to_string(random.between(1, 3));
    inputs.push_back(in);
    taps.push_back(tap);
    x.push_back({in.extent, in.loop});
    w.push_back({tap.extent, tap.loop});
    y.push_back({stride + " * (" + in.extent + ") + " + tap.extent,
                 stride + " * " + in.loop + " + " + tap.loop});
  }
  const std::string value =
      array("in", x, "input") + " * " + array("w", w, "input");
  const std::string target = array("out", y, "inout");
  for (const auto *loops : {&outer, &inputs, &taps})
    for (const Dim &d : *loops)
      open(d);
  statement(target + " += " + value);
  close(indent);
}

} // namespace convopt::test
