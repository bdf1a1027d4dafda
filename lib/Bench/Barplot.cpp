//===- Barplot.cpp - Speeds by shape --------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"

using namespace llvm;

namespace convopt::bench {
namespace {

constexpr double Width = 900, Left = 210, Right = 190, RowHeight = 19,
                 TitleHeight = 26, LetterWidth = 7;

/// The most TFLOP/s that \p facts allow on the device; 0 where not known.
double mostOf(const StaticFacts &facts, const Environment &environment) {
  auto least = rooflineMilliseconds(facts, environment);
  return least && *least > 0 ? facts.flops / *least / 1e9 : 0;
}

/// The end is cut: kernels that differ mostly do so early, and the tip of the
/// bar has it all.
std::string shortened(const std::string &name) {
  constexpr size_t Most = 31;
  return name.size() <= Most ? name : name.substr(0, Most - 3) + "...";
}

/// A value that would cross the upright line at \p roof stands behind it.
void drawBar(Svg &svg, const Row &row, const Figures &f, unsigned number,
             double y, double unit, double roof) {
  svg.text(Left - 8, y + 13, shortened(row.kernel), Svg::Anchor::End, "name");
  if (!f.flopsPerSecond) {
    svg.text(Left + 6, y + 13, str(row.status), Svg::Anchor::Start, "none");
    return;
  }
  const double teraflops = *f.flopsPerSecond / 1e12;
  const std::string value =
      digits(teraflops) + " TFLOP/s, " + digits(*f.milliseconds) + " ms";
  svg.rect(Left, y + 2, std::max(1.0, teraflops * unit), RowHeight - 5,
           "mark k" + std::to_string(number % KernelNumbers::Colours),
           row.kernel + ", " + row.shape + ": " + value);
  double at = Left + teraflops * unit + 6;
  if (at < roof + 6 && at + LetterWidth * double(value.size()) > roof)
    at = roof + 6;
  svg.text(at, y + 13, value, Svg::Anchor::Start, "value");
}

} // namespace

std::string barsSvg(const Report &report) {
  const std::vector<ShapeGroup> groups = byShape(report);
  const KernelNumbers numbers(report);
  double most = 0, height = 4;
  for (const ShapeGroup &group : groups) {
    height += TitleHeight + RowHeight * double(group.rows.size());
    most = std::max(most, mostOf(group.facts, report.environment));
    for (const Row *row : group.rows)
      most = std::max(most, figuresOf(*row, report).flopsPerSecond.value_or(0) /
                                1e12);
  }
  Svg svg(Width, height, "TFLOP/s of each kernel, by shape");
  const double unit = most > 0 ? (Width - Left - Right) / most : 0;
  double y = 0;
  for (const ShapeGroup &group : groups) {
    svg.text(0, y + 19, titleOf(group), Svg::Anchor::Start, "title");
    y += TitleHeight;
    const double bottom = y + RowHeight * double(group.rows.size()) - 2;
    const double length = unit * mostOf(group.facts, report.environment);
    const double roof = length > 0 ? Left + length : 0;
    svg.line(Left, y, Left, bottom, "base");
    if (roof > 0)
      svg.line(roof, y, roof, bottom, "roof");
    for (const Row *row : group.rows) {
      drawBar(svg, *row, figuresOf(*row, report), numbers(row->kernel), y, unit,
              roof);
      y += RowHeight;
    }
  }
  return svg.str();
}

} // namespace convopt::bench
