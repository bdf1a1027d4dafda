//===- RandomConvolution.cpp - Nests as sources have them -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomConvolution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::test {

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

void RandomConvolution::line(const std::string &text) {
  body += std::string(2 * indent, ' ') + text + "\n";
  indent += StringRef(text).ends_with("{");
}

void RandomConvolution::statement(const std::string &text) {
  line("S" + std::to_string(statements++) + ": " + text);
}

void RandomConvolution::close(size_t loops) {
  for (; loops != 0; --loops) {
    --indent;
    line("}");
  }
}

/// A number, or a name of one that the launch gives.
std::string RandomConvolution::size(const std::string &name, unsigned low,
                                    unsigned high, bool mayBeTemplate) {
  if (isConstant || random.chance(20))
    return std::to_string(random.between(low, high));
  const bool isTemplate =
      mayBeTemplate && templateSize.empty() && random.chance(15);
  parameters += "param " + name + (isTemplate ? ": int template\n" : ": int\n");
  if (isTemplate)
    templateSize = name;
  else
    arguments.push_back("argument " + name + " \"int @\" param");
  return name;
}

/// Has \p extent go by \p name, as sources often do.
void RandomConvolution::define(std::string &extent, const std::string &name) {
  if (isConstant || random.chance(40))
    return;
  defined += "param " + name + ": int = " + extent + "\n";
  extent = name;
}

void RandomConvolution::assume(const std::string &text) {
  if (any_of(text, [](char c) { return isAlpha(c); }))
    assumptions += "assume " + text + " >= 0 \"it is not empty\"\n";
}

/// Declares an array with dimensions for pairs of extents and subscripts, in
/// any order, and gives the element. \p last: rows are that long instead.
std::string RandomConvolution::array(const std::string &name, Access access,
                                     const std::string &role,
                                     const std::string &last) {
  if (last.empty() && random.chance(30))
    random.shuffle(access);
  std::string element = name, extents, footprint = "1";
  const bool isOwnType = role != "input" || random.chance(85);
  static const std::vector<std::string> types{
      "float", "double", "unsigned char", "__half", "short"};
  const std::string t = isOwnType ? type : random.oneOf(types);
  for (size_t d = 0; d != access.size(); ++d) {
    const bool isLong = d + 1 == access.size() && !last.empty();
    extents += "[" + (isLong ? last : access[d].first) + "]";
    footprint += isLong ? "" : " * (" + access[d].first + ")";
    element += "[" + access[d].second + "]";
  }
  arrays += "array " + name + ": " + t + extents + " " + role;
  if (!last.empty()) // the last row ends early
    arrays += " footprint " + footprint + " * " + last + " - " + last + " + " +
              access.back().first;
  arrays += "\n";
  arguments.push_back("argument " + name + " \"" +
                      (role == "input" ? "const " : "") + t + " *@\" array");
  return element;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

std::string RandomConvolution::Window::element() const {
  std::string text = std::to_string(stride) + " * " + out.loop;
  if (!filter.loop.empty())
    text += " + " + std::to_string(dilation) + " * " + filter.loop;
  return text + " - " + std::to_string(padding);
}

RandomConvolution::Window RandomConvolution::window(const std::string &loop,
                                                    const std::string &filter,
                                                    const std::string &input) {
  Window w;
  w.out.loop = loop;
  w.filter = {filter, size("K" + input, 1, random.chance(20) ? 5 : 3, true)};
  w.stride = random.chance(75) ? 1 : random.between(2, 3);
  w.dilation = random.chance(80) ? 1 : 2;
  w.padding = random.chance(50) ? 0 : random.between(1, 2);
  const std::string reach =
      std::to_string(w.dilation) + " * (" + w.filter.extent + " - 1)";
  if (w.padding == 0 && random.chance(30)) { // the output's size is given
    w.out.extent = size("O" + input, 1, 8);
    w.input = std::to_string(w.stride) + " * (" + w.out.extent + " - 1) + " +
              reach + " + 1";
    define(w.input, input);
    return w;
  }
  w.input = size(input, 4, 10);
  const std::string room =
      w.input + " + " + std::to_string(2 * w.padding) + " - " + reach + " - 1";
  assume(room);
  w.out.extent = w.stride == 1 ? room + " + 1"
                               : "floordiv(" + room + ", " +
                                     std::to_string(w.stride) + ") + 1";
  define(w.out.extent, "O" + input);
  return w;
}

/// Where a padded input has elements.
std::string
RandomConvolution::guardOf(const std::vector<Window> &windows) const {
  std::vector<std::string> tests;
  for (const Window &w : windows)
    if (w.padding) {
      tests.push_back(w.element() + " >= 0");
      tests.push_back("(" + w.input + ") - 1 - (" + w.element() + ") >= 0");
    }
  return join(tests, " and ");
}

/// The right-hand side of an output, from `sum`.
std::string RandomConvolution::epilogue(const std::vector<Dim> &outer) {
  auto some = [&](const std::string &name) {
    const Dim &d = outer[random.pick(outer.size())];
    return array(name, {{d.extent, d.loop}}, "input");
  };
  switch (random.pick(8)) {
  case 0:
    return "fmaxf(sum, 0.0f)";
  case 1:
    return "sum + " + some("bias");
  case 2:
    return some("scale") + " * sum + " + some("shift");
  case 3:
    return "3 * sum + index(" + outer.back().loop + ")";
  default:
    return "sum";
  }
}

/// \p target, in the loops of \p outer, is a sum over \p inner.
void RandomConvolution::sum(const std::string &target,
                            const std::vector<Dim> &outer,
                            std::vector<Dim> inner, const std::string &guard,
                            std::string value, bool isMaximum) {
  if (random.chance(20))
    random.shuffle(inner);
  for (const Dim &d : outer)
    open(d);
  const std::string sum = sumsInMemory ? target : "sum";
  if (!sumsInMemory)
    line("local sum");
  statement(sum + (isMaximum ? " = -1000.0f" : " = 0.0f"));
  for (const Dim &d : inner)
    open(d);
  if (!guard.empty())
    line("if " + guard + " {");
  statement(sum +
            (isMaximum           ? " max= "
             : random.chance(90) ? " += "
                                 : " -= ") +
            value);
  close(inner.size() + !guard.empty());
  if (!sumsInMemory) {
    statement(target + " = " + epilogue(outer));
    arrays += "array sum: " + type + " local\n";
  }
  close(outer.size());
}

void RandomConvolution::convolution() {
  static const char *const loops[][2] = {{"z", "k"}, {"y", "i"}, {"x", "j"}};
  static const char *const inputs[] = {"D", "H", "W"};
  const unsigned dims = random.chance(15) ? 3 : random.chance(75) ? 2 : 1;
  std::vector<Window> windows;
  for (unsigned d = 3 - dims; d != 3; ++d)
    windows.push_back(window(loops[d][0], loops[d][1], inputs[d]));
  const bool isPooling = random.chance(10), hasMaps = random.chance(70),
             hasChannels = !isPooling && random.chance(65);
  std::vector<Dim> outer, inner;
  Access in, out, w;
  auto add = [&](const Dim &d, std::vector<Dim> &loops,
                 std::initializer_list<Access *> arrays) {
    loops.push_back(d);
    for (Access *a : arrays)
      a->push_back({d.extent, d.loop});
  };
  if (random.chance(50))
    add({"n", size("N", 1, 3)}, outer, {&in, &out});
  if (hasMaps && (isPooling || random.chance(15))) // each map has its own
    add({"o", size("O", 1, 5)}, outer, {&in, &out, &w});
  else if (hasMaps)
    add({"o", size("O", 1, 6)}, outer, {&out, &w});
  if (hasChannels)
    add({"c", size("C", 1, 4)}, inner, {&in, &w});
  for (const Window &v : windows) {
    add(v.out, outer, {&out});
    add(v.filter, inner, {&w});
    in.push_back({v.input, v.element()});
  }
  std::string pitch;
  if (!isConstant && random.chance(15)) {
    pitch = size("LD", 12, 14);
    assume(pitch + " - (" + windows.back().input + ")");
  }
  std::string element = array("in", in, "input", pitch),
              guard = guardOf(windows);
  const std::string target = array("out", out, "output");
  if (!guard.empty() && random.chance(40)) {
    element = "guarded(" + guard + ", " + element + ", " +
              (isPooling ? "-1000.0f" : "0.0f") + ")";
    guard.clear();
  }
  if (!isPooling)
    element = random.chance(50) ? element + " * " + array("w", w, "input")
                                : array("w", w, "input") + " * " + element;
  if (random.chance(20))
    random.shuffle(outer);
  sum(target, outer, inner, guard, element, isPooling && random.chance(60));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

void RandomConvolution::product() {
  Dim m{"y", size("M", 1, 9)}, n{"x", size("N", 1, 12)},
      k{"k", size("K", 1, 9)};
  const std::string a =
      array("A", {{m.extent, m.loop}, {k.extent, k.loop}}, "input");
  const std::string b =
      array("B", {{k.extent, k.loop}, {n.extent, n.loop}}, "input");
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

std::string RandomConvolution::text() {
  isConstant = random.chance(30);
  sumsInMemory = random.chance(15);
  type = random.chance(85) ? "float" : "double";
  if (random.chance(8))
    type = templateType = "T";
  const unsigned kind = random.pick(100);
  if (kind < 70)
    convolution();
  else if (kind < 80)
    product();
  else if (kind < 92)
    stencil();
  else
    inTime();
  std::string head = "nest f from \"f.cu\"\n";
  std::vector<std::string> parts;
  std::string named;
  if (!templateType.empty()) {
    parts.push_back("class T");
    named += "template argument \"T\" type\n";
  }
  if (!templateSize.empty()) {
    parts.push_back("int " + templateSize);
    named += "template argument \"" + templateSize + "\"\n";
  }
  if (!parts.empty())
    head += "template \"template <" + join(parts, ", ") + ">\"\n" + named;
  return head + join(arguments, "\n") + "\n" + parameters + defined + arrays +
         assumptions + "\n" + body;
}

} // namespace convopt::test
