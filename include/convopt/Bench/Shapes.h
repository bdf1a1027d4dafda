//===- Shapes.h - Layers to measure -----------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sizes of a convolution in the terms that libraries use, whatever a nest
/// calls them: rows of a CSV file such as examples/shapes.csv, or an option.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_SHAPES_H
#define CONVOPT_BENCH_SHAPES_H

#include "llvm/Support/Error.h"

namespace convopt::bench {

/// N images of C x H x W and K filters of (C / groups) x R x S.
struct LayerShape {
  std::string name, set; // of the file's row; empty for an option
  int64_t N = 1, C = 1, H = 1, W = 1, K = 1, R = 1, S = 1;
  int64_t padH = 0, padW = 0; // zeros on each side
  int64_t strideH = 1, strideW = 1;
  int64_t dilationH = 1, dilationW = 1;
  int64_t groups = 1;
  std::string note;
  /// Of a file's row that is no layer: why; its sizes mean nothing.
  std::string problem;
  bool isCut = false; // such a row, whose set could not be read

  /// Rows and columns of the output.
  int64_t outH() const {
    return (H + 2 * padH - dilationH * (R - 1) - 1) / strideH + 1;
  }
  int64_t outW() const {
    return (W + 2 * padW - dilationW * (S - 1) - 1) / strideW + 1;
  }
  /// "N=1 C=64 H=4096 W=4096 K=64 R=3 S=3", then what is not the default.
  std::string str() const;
};

/// Reads \p csv, the text of \p file: a line of column names (name, N, C, H,
/// W, K, R and S, and any of set, pad_h, pad_w, stride_h, stride_w, dil_h,
/// dil_w, groups, note), then a layer a line. Refuses (rule "shape"), at the
/// line, an unknown, missing or repeated column, and a file without rows. A row
/// of another length, sizes that are no numbers, negative or zero, that leave
/// no output, or whose groups do not divide the channels, and a name given
/// twice are the `problem` of that row alone, called by its line where it has
/// no name.
llvm::Expected<std::vector<LayerShape>> parseShapes(llvm::StringRef csv,
                                                    llvm::StringRef file);

/// The same from the file \p path; refuses one that cannot be read.
llvm::Expected<std::vector<LayerShape>> readShapes(llvm::StringRef path);

/// The rows that \p wanted names, each a name or a set, in the order of
/// \p rows and none twice. What is neither comes last, with a `problem` that
/// lists what there is. A row whose set could not be read may be of any set.
std::vector<LayerShape> selectShapes(llvm::ArrayRef<LayerShape> rows,
                                     llvm::ArrayRef<std::string> wanted);

/// A layer given as `N=1,C=64,H=56,W=56,K=64,R=3,S=3,pad_h=1,...`, by the
/// names of the columns. C, H, W, K, R and S are needed. Refuses (rule
/// "shape") what parseShapes refuses.
llvm::Expected<LayerShape> parseLayer(llvm::StringRef text);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_SHAPES_H
