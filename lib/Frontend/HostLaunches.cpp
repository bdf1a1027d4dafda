//===- HostLaunches.cpp - Launches that a host compiler takes -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Frontend/Frontend.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

struct Lexed {
  tok::TokenKind kind;
  size_t begin, end;
};

struct HostLaunch {
  size_t begin, end; // of the whole call or declaration
  std::string text;
};

class LaunchRewriter {
public:
  explicit LaunchRewriter(StringRef code);

  std::string run();

private:
  std::optional<HostLaunch> launchAt(size_t open) const;
  std::optional<HostLaunch> dynamicSharedAt(size_t at) const;
  std::optional<size_t> calleeBefore(size_t open) const;
  std::optional<size_t> closing(size_t open) const;
  std::vector<std::string> split(size_t from, size_t to) const;
  std::string text(size_t from, size_t to) const;
  bool areNames(size_t from, size_t to) const;

  StringRef code;
  std::vector<Lexed> tokens;
};

} // namespace

LaunchRewriter::LaunchRewriter(StringRef code) : code(code) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus17 = true;
  options.Bool = options.LineComment = options.CUDA = true;
  Lexer lexer(SourceLocation(), options, code.begin(), code.begin(),
              code.end());
  clang::Token t;
  while (!lexer.LexFromRawLexer(t)) {
    size_t end = lexer.getBufferLocation() - code.begin();
    tokens.push_back({t.getKind(), end - t.getLength(), end});
  }
}

std::string LaunchRewriter::text(size_t from, size_t to) const {
  if (from >= to)
    return "";
  return code.slice(tokens[from].begin, tokens[to - 1].end).str();
}

/// The first token of `ns::f<int, 3>` before token \p open.
std::optional<size_t> LaunchRewriter::calleeBefore(size_t open) const {
  size_t k = open;
  if (k > 0 && (tokens[k - 1].kind == tok::greater ||
                tokens[k - 1].kind == tok::greatergreater)) {
    int depth = 0;
    do {
      if (k-- == 0)
        return std::nullopt;
      depth += tokens[k].kind == tok::greater;
      depth += 2 * (tokens[k].kind == tok::greatergreater);
      depth -= tokens[k].kind == tok::less;
    } while (depth > 0);
  }
  if (k == 0 || tokens[k - 1].kind != tok::raw_identifier)
    return std::nullopt;
  --k;
  while (k > 1 && tokens[k - 1].kind == tok::coloncolon &&
         tokens[k - 2].kind == tok::raw_identifier)
    k -= 2;
  if (k > 0 && tokens[k - 1].kind == tok::coloncolon)
    --k;
  return k;
}

static int nesting(tok::TokenKind kind) {
  switch (kind) {
  case tok::l_paren:
  case tok::l_brace:
  case tok::l_square:
    return 1;
  case tok::r_paren:
  case tok::r_brace:
  case tok::r_square:
    return -1;
  default:
    return 0;
  }
}

/// The token that closes the bracket at token \p open.
std::optional<size_t> LaunchRewriter::closing(size_t open) const {
  int depth = 0;
  for (size_t k = open; k != tokens.size(); ++k)
    if ((depth += nesting(tokens[k].kind)) == 0)
      return k;
  return std::nullopt;
}

/// The expressions between commas of tokens \p from to \p to.
std::vector<std::string> LaunchRewriter::split(size_t from, size_t to) const {
  std::vector<std::string> parts;
  int depth = 0;
  size_t start = from;
  for (size_t k = from; k != to; ++k) {
    depth += nesting(tokens[k].kind);
    if (depth == 0 && tokens[k].kind == tok::comma) {
      parts.push_back(text(start, k));
      start = k + 1;
    }
  }
  parts.push_back(text(start, to));
  return parts;
}

/// Whether tokens \p from to \p to are names and conversions of names, which
/// can be kept for later.
bool LaunchRewriter::areNames(size_t from, size_t to) const {
  for (size_t k = from; k != to; ++k) {
    tok::TokenKind kind = tokens[k].kind;
    bool isCall = kind == tok::l_paren && k != from &&
                  tokens[k - 1].kind == tok::raw_identifier;
    if (isCall || !is_contained({tok::comma, tok::raw_identifier, tok::l_paren,
                                 tok::r_paren},
                                kind))
      return false;
  }
  return true;
}

std::optional<HostLaunch> LaunchRewriter::launchAt(size_t open) const {
  std::optional<size_t> callee = calleeBefore(open);
  size_t close = open + 1;
  for (int depth = 0; close != tokens.size(); ++close) {
    depth += nesting(tokens[close].kind);
    if (depth == 0 && tokens[close].kind == tok::greatergreatergreater)
      break;
  }
  if (!callee || close + 1 >= tokens.size() ||
      tokens[close + 1].kind != tok::l_paren)
    return std::nullopt;
  std::optional<size_t> end = closing(close + 1);
  std::vector<std::string> config = split(open + 1, close);
  if (!end || config.size() < 2 || config.size() > 4)
    return std::nullopt;
  config.resize(4, "0");
  bool isLater =
      !is_contained({"0", "nullptr"}, config[3]) && areNames(close + 2, *end);
  HostLaunch l;
  l.begin = tokens[*callee].begin;
  l.end = tokens[*end].end;
  l.text = std::string("::cuda_on_cpu::launch") + (isLater ? "Later" : "") +
           "(dim3(" + config[0] + "), dim3(" + config[1] + "), " + config[2] +
           ", " + config[3] + (isLater ? ", [=] { " : ", [&] { ") +
           text(*callee, open) + text(close + 1, *end + 1) + "; })";
  return l;
}

/// `extern __shared__ __align__(16) float s[];`, which C++ has no way to say of
/// a block's own memory.
std::optional<HostLaunch> LaunchRewriter::dynamicSharedAt(size_t at) const {
  auto is = [&](size_t k, StringRef word) {
    return k < tokens.size() && text(k, k + 1) == word;
  };
  if (!is(at, "extern") || !is(at + 1, "__shared__"))
    return std::nullopt;
  size_t type = at + 2;
  if (is(type, "__align__"))
    if (std::optional<size_t> end = closing(type + 1))
      type = *end + 1;
  size_t open = type;
  while (open < tokens.size() && tokens[open].kind != tok::l_square &&
         tokens[open].kind != tok::semi)
    ++open;
  if (open < type + 2 || !is(open, "[") || !is(open + 1, "]") ||
      !is(open + 2, ";"))
    return std::nullopt;
  return HostLaunch{tokens[at].begin, tokens[open + 2].end,
                    "CUDA_ON_CPU_DYNAMIC_SHARED(" + text(type, open - 1) +
                        ", " + text(open - 1, open) + ");"};
}

std::string LaunchRewriter::run() {
  std::string result;
  size_t done = 0;
  for (size_t k = 0; k != tokens.size(); ++k) {
    std::optional<HostLaunch> l =
        tokens[k].kind == tok::lesslessless ? launchAt(k) : dynamicSharedAt(k);
    if (!l || l->begin < done)
      continue;
    result += code.slice(done, l->begin);
    result += l->text;
    // What follows stays in its line, also in a macro's definition.
    for (int64_t lines = code.slice(l->begin, l->end).count('\n') -
                         StringRef(l->text).count('\n');
         lines > 0; --lines)
      result += "\\\n";
    done = l->end;
  }
  return result + code.drop_front(done).str();
}

std::string rewriteLaunchesForHost(StringRef cuda) {
  // The lexer reads one character past the end.
  std::string code = cuda.str();
  return LaunchRewriter(code).run();
}

} // namespace convopt
