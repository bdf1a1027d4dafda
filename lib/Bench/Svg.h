//===- Svg.h - Marks of an inline picture -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Elements take classes and no colours: the page's style sheet knows light
/// and dark.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_SVG_H
#define CONVOPT_LIB_BENCH_SVG_H

#include "Format.h"

namespace convopt::bench {

/// \p text as character data of HTML and XML: valid UTF-8, without the control
/// characters that XML forbids.
std::string escapeHtml(llvm::StringRef text);

/// Kernels by number, in the order in which they first appear. The naive one
/// and cuDNN have numbers, and so colours, of their own in every report.
class KernelNumbers {
public:
  static constexpr unsigned Colours = 8;

  explicit KernelNumbers(const Report &report);
  unsigned operator()(llvm::StringRef kernel) const;
  const std::vector<std::string> &names() const { return kernels; }

private:
  std::vector<std::string> kernels;
};

/// A picture of \p width x \p height units that scales with the page.
class Svg {
public:
  enum class Anchor : uint8_t { Start, Middle, End };

  Svg(double width, double height, llvm::StringRef label);

  void line(double x1, double y1, double x2, double y2, llvm::StringRef cls);
  void rect(double x, double y, double width, double height,
            llvm::StringRef cls, llvm::StringRef tip);
  void text(double x, double y, llvm::StringRef text, Anchor anchor,
            llvm::StringRef cls = "");
  /// Points "x,y x,y ..." as an open line.
  void polyline(llvm::StringRef points, llvm::StringRef cls);
  /// The mark of kernel \p number, whose form differs along with its colour.
  void mark(double x, double y, unsigned number, llvm::StringRef tip);

  /// The element.
  std::string str() const { return content + "</svg>\n"; }

private:
  std::string content;
};

/// Every measured kernel under the roof of the device; "" without ceilings.
std::string rooflineSvg(const Report &report);
/// A bar a kernel, by shape, and each shape's roof.
std::string barsSvg(const Report &report);

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_SVG_H
