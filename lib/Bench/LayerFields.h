//===- LayerFields.h - A layer's sizes by name ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_LAYERFIELDS_H
#define CONVOPT_LIB_BENCH_LAYERFIELDS_H

#include "convopt/Bench/Shapes.h"

namespace convopt::bench {

/// A size of LayerShape.
struct LayerField {
  llvm::StringLiteral name;
  int64_t LayerShape::*value;
  int64_t least; // that means something
  enum : uint8_t { InFiles, Everywhere, Nowhere } needed; // else the default
};

llvm::ArrayRef<LayerField> layerFields();

/// Null where no size is called \p name.
const LayerField *findField(llvm::StringRef name);

/// Sets \p field of \p layer; the text of what is wrong with \p value, or
/// nothing. Sizes fit an int, as libraries want them.
std::string setField(LayerShape &layer, const LayerField &field,
                     llvm::StringRef value);

/// What is wrong with \p layer as a whole, or nothing.
std::string checkLayer(const LayerShape &layer);

/// A refusal by the rule "shape".
llvm::Error refuseShape(const llvm::Twine &message,
                        const llvm::Twine &remedy = "");

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_LAYERFIELDS_H
