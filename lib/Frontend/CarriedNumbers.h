//===- CarriedNumbers.h - Numbers that loops set for others -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A number that loops set and other statements read, as text: the function
/// that is made of the loops stores it to memory.
///
///   float s = 0;                 static void dot_nest(..., float *s_result) {
///   for (...)                      float s = 0;
///     s += x[i] * y[i];            for (...)
///   return s;                        s += x[i] * y[i];
///                                  s_result[0] = s;
///                                }
///
///                                float s = 0;
///                                {
///                                  float s_result;
///                                  dot_nest(..., &s_result);
///                                  s = s_result;
///                                }
///                                return s;
///
/// That is no address of the variable itself, of which others then know that
/// nothing else changes it.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_CARRIEDNUMBERS_H
#define CONVOPT_LIB_FRONTEND_CARRIEDNUMBERS_H

#include "LoopVariables.h"

namespace convopt {

class CarriedNumbers {
public:
  /// `float *s` of a variable and `*s`.
  using Declare = llvm::function_ref<std::string(const clang::VarDecl *,
                                                 const std::string &)>;

  /// Those of \p v; new names stand nowhere in \p text.
  CarriedNumbers(const LoopVariables &v, llvm::StringRef text, Declare declare);

  std::vector<std::string> parameters() const, arguments() const;
  /// What \p v is in the function before the loops, or nothing.
  std::string startOf(const clang::VarDecl *v) const;
  /// How many statements give a number back, and these, each in a line.
  size_t results() const;
  std::string storeResults() const;
  /// What stands before the call, in a line after \p indent spaces, and after
  /// its semicolon.
  std::string beforeCall(size_t indent) const, afterCall(size_t indent) const;

private:
  struct Number {
    const clang::VarDecl *variable;
    LoopVariables::Carried use;
    std::string parameter;   // its name
    std::string declaration; // of the parameter
    std::string temporary;   // declares what it points at
    std::string name() const { return variable->getNameAsString(); }
  };
  std::vector<Number> all;
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_CARRIEDNUMBERS_H
