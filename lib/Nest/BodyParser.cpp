//===- BodyParser.cpp - Loops and statements of .nest text ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "convopt/Nest/MathFunctions.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

bool BodyParser::body(Body &out) {
  while (true) {
    c.skipLines();
    if (c.atEnd())
      return depth == 0 || c.fail("expected '}'");
    if (c.peek("}"))
      return depth != 0 || c.fail("this '}' closes nothing");
    if (!node(out))
      return false;
  }
}

bool BodyParser::node(Body &out) {
  StringRef word = c.peekWord();
  unsigned id;
  if (word.starts_with("S") && !word.drop_front().getAsInteger(10, id)) {
    c.advance(word.size());
    return statement(id, out);
  }
  if (c.eatWord("for"))
    return loop(out);
  if (c.eatWord("if"))
    return guard(out);
  if (c.eatWord("local"))
    return local(out);
  if (c.eatWord("barrier"))
    return barrier(out);
  if (c.eatWord("copy"))
    return copy(out);
  if (c.eatWord("store"))
    return store(out);
  return c.fail("expected a loop, a guard, a statement such as 'S0: a = b', a "
                "local, a copy or a barrier");
}

/// `{`, the line's end, the body and `}`.
bool BodyParser::inside(Body &out, SourceRange &range) {
  if (!c.expect("{"))
    return false;
  if (depth == MaxLoopDepth)
    return c.fail("the nest is too deep");
  std::optional<SourceRange> r = c.endLine();
  if (!r)
    return false;
  range = *r;
  ++depth;
  bool good = body(out) && c.expect("}") && c.endLine();
  --depth;
  return good;
}

bool BodyParser::kind(LoopKind &kind) {
  if (c.peek("{"))
    return true;
  for (StringRef name : loopKindNames)
    if (c.eat(name)) {
      kind = *parseLoopKind(name);
      return true;
    }
  return c.fail(
      "expected '{' or the loop's kind: grid.x, grid.y, grid.z, "
      "block.x, block.y, block.z, unrolled, vector, launch or stream");
}

bool BodyParser::loop(Body &out) {
  size_t start = (c.skipBlanks(), c.position());
  std::optional<std::string> name = c.name("the loop's name");
  if (!name || !c.expectWord("in"))
    return false;
  std::optional<std::vector<Bound>> lower = p.exprs.bounds("max");
  if (!lower || !c.expect(".."))
    return false;
  std::optional<std::vector<Bound>> upper = p.exprs.bounds("min");
  LoopKind loopKind = LoopKind::Serial;
  if (!upper || !kind(loopKind))
    return false;
  std::optional<unsigned> streams = 1;
  if (loopKind == LoopKind::Stream &&
      !(streams = c.number("how many streams there are")))
    return false;
  const bool isAtomic = loopKind != LoopKind::Serial && c.eatWord("atomic");

  size_t afterBounds = c.position();
  c.setPosition(start);
  std::optional<unsigned> id = p.loop(*name);
  if (!id)
    return false;
  seen.resize(nest.loopNames.size());
  if (seen[*id])
    return c.fail("loop '" + *name +
                  "' is in the nest already; names of "
                  "loops are unique");
  seen[*id] = true;
  c.setPosition(afterBounds);

  auto result = std::make_shared<Loop>(*id);
  result->kind = loopKind;
  result->streams = *streams;
  result->isAtomic = isAtomic;
  result->lower = std::move(*lower);
  result->upper = std::move(*upper);
  enclosing.push_back(*id);
  bool good = inside(result->body, result->range);
  enclosing.pop_back();
  out.push_back(std::move(result));
  return good;
}

bool BodyParser::guard(Body &out) {
  std::optional<std::vector<Constraint>> conditions = p.exprs.conjunction();
  if (!conditions)
    return false;
  auto result = std::make_shared<Guard>();
  result->conditions = std::move(*conditions);
  bool good = inside(result->body, result->range);
  out.push_back(std::move(result));
  return good;
}

bool BodyParser::local(Body &out) {
  std::optional<unsigned> array = p.exprs.array();
  if (!array)
    return false;
  std::optional<SourceRange> range = c.endLine();
  if (!range)
    return false;
  out.push_back(std::make_shared<Local>(*array, *range));
  return true;
}

bool BodyParser::barrier(Body &out) {
  std::optional<SourceRange> range = c.endLine();
  if (!range)
    return false;
  out.push_back(std::make_shared<Barrier>(*range));
  return true;
}

/// The buffer that is named here.
std::optional<unsigned> BodyParser::buffer() {
  StringRef name = c.peekWord();
  std::optional<unsigned> buffer = p.exprs.findArray(name);
  if (!buffer || !nest.arrays[*buffer].buffer) {
    c.fail(name.empty() ? Twine("expected a buffer")
                        : "no buffer is called '" + name + "'");
    return std::nullopt;
  }
  c.advance(name.size());
  return buffer;
}

bool BodyParser::endCopy(unsigned buffer, Access box, bool isStore, Body &out) {
  if (box.array != nest.arrays[buffer].buffer->of)
    return c.fail("'" + nest.arrays[buffer].name + "' is a buffer of '" +
                  nest.arrays[nest.arrays[buffer].buffer->of].name + "'");
  auto result = std::make_shared<Copy>(buffer);
  result->base = std::move(box.subscripts);
  result->from = box.buffer;
  result->isStore = isStore;
  std::optional<SourceRange> range = c.endLine();
  if (!range)
    return false;
  result->range = *range;
  out.push_back(std::move(result));
  return true;
}

/// `copy inputs_s = inputs[n][16 * y_b][0]`
bool BodyParser::copy(Body &out) {
  std::optional<unsigned> filled = buffer();
  if (!filled || !c.expect("="))
    return false;
  const bool isUnfolded = nest.arrays[*filled].buffer->unfolding.has_value();
  std::optional<Access> box =
      p.exprs.access(isUnfolded ? filled : std::nullopt);
  return box && endCopy(*filled, std::move(*box), /*isStore=*/false, out);
}

/// `store outputs[n][16 * y_b][0] = outputs_s`
bool BodyParser::store(Body &out) {
  std::optional<Access> box = p.exprs.access();
  if (!box || !c.expect("="))
    return false;
  std::optional<unsigned> stored = buffer();
  return stored && endCopy(*stored, std::move(*box), /*isStore=*/true, out);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool BodyParser::statement(unsigned id, Body &out) {
  auto s = std::make_shared<Statement>(id);
  if (!instance(*s) || !c.expect(":"))
    return false;
  std::optional<Access> target = p.exprs.access();
  if (!target || !operation(*s) || !rightHandSide(*s))
    return false;
  s->target = std::move(*target);
  std::optional<SourceRange> range = c.endLine();
  if (!range)
    return false;
  s->range = *range;
  out.push_back(std::move(s));
  return true;
}

/// `[o, y = 16 * y_o + y_i]`; without it, the loops around the statement.
bool BodyParser::instance(Statement &s) {
  if (!c.eat("[")) {
    s.iterators = enclosing;
    for (unsigned id : enclosing)
      s.instance.push_back(IndexExpr::loop(id));
    return true;
  }
  if (c.eat("]"))
    return true;
  do {
    std::optional<std::string> name = c.name("an iterator's name");
    std::optional<unsigned> id;
    if (!name || !(id = p.loop(*name)))
      return false;
    std::optional<IndexExpr> value = IndexExpr::loop(*id);
    if (c.eat("=") && !(value = p.exprs.expr()))
      return false;
    s.iterators.push_back(*id);
    s.instance.push_back(*value);
  } while (c.eat(","));
  return c.expect("]");
}

bool BodyParser::operation(Statement &s) {
  static const std::pair<StringRef, Statement::Op> operations[] = {
      {"+=", Statement::Op::Add},   {"-=", Statement::Op::Sub},
      {"*=", Statement::Op::Mul},   {"max=", Statement::Op::Max},
      {"min=", Statement::Op::Min}, {"=", Statement::Op::Assign},
  };
  for (auto [spelling, value] : operations)
    if (!c.peek("==") && c.eat(spelling)) {
      s.op = value;
      return true;
    }
  for (StringRef function : fusedFunctions())
    if (c.eat((function + "=").str())) {
      s.op = Statement::Op::Add;
      s.fused = function;
      return true;
    }
  return c.fail("expected one of = += -= *= max= min= fma=");
}

bool BodyParser::rightHandSide(Statement &s) {
  c.skipBlanks();
  std::string &text = s.text;
  for (StringRef rest = c.restOfLine(); !rest.empty(); rest = c.restOfLine()) {
    if (rest.starts_with("//") || StringRef("#@").contains(rest[0]))
      break;
    if (rest[0] == '`') {
      if (!quotedWord(text))
        return false;
      continue;
    }
    Lexeme l = firstLexeme(rest);
    if (l.kind == Lexeme::Hole || l.text == "$")
      return c.fail("write a dollar as '$$'");
    if (l.kind == Lexeme::Unfinished)
      return c.fail("the literal has no end");
    if (l.kind == Lexeme::Word && !endsInMemberAccess(text)) {
      size_t holes = s.operands.size();
      if (!operand(l.text, s))
        return false;
      if (s.operands.size() != holes)
        continue;
    }
    text += l.text;
    if (text.size() > MaxTextSize)
      return c.fail("the right-hand side is too large");
    c.advance(l.text.size());
  }
  text = StringRef(text).rtrim().str();
  return !text.empty() || c.fail("expected a right-hand side");
}

/// A word in backticks is never an operand.
bool BodyParser::quotedWord(std::string &text) {
  c.advance(1);
  StringRef word = c.restOfLine();
  word = word.take_front(word.find('`'));
  if (!isIdentifier(word))
    return c.fail("expected a word and '`'");
  c.advance(word.size());
  text += word;
  return c.expect("`");
}

/// Adds the operand that starts with \p word to \p s, where one does.
bool BodyParser::operand(StringRef word, Statement &s) {
  Operand o;
  size_t start = c.position();
  c.advance(word.size());
  bool called = c.peek("(");
  if (called && word == "index") {
    o.kind = Operand::Index;
    std::optional<IndexExpr> e;
    if (!c.expect("(") || !(e = p.exprs.expr()) || !c.expect(")"))
      return false;
    o.index = std::move(*e);
  } else if (called && (word == "guarded" || word == "predicated")) {
    o.isPredicate = word == "predicated";
    if (!guardedRead(o))
      return false;
  } else {
    c.setPosition(start);
    if (!p.exprs.findArray(word))
      return true;
    std::optional<Access> access = p.exprs.access();
    if (!access)
      return false;
    o.access = std::move(*access);
  }
  StringRef next = c.restOfLine().take_front(1);
  bool touchesBefore =
      !s.text.empty() && (isAlnum(s.text.back()) || s.text.back() == '_');
  bool touchesAfter =
      !next.empty() && (isAlnum(next[0]) || next == "_" || next == "`");
  if (touchesBefore || touchesAfter)
    return c.fail("an operand touches a word");
  s.text += "$" + std::to_string(s.operands.size());
  s.operands.push_back(std::move(o));
  return true;
}

/// `(conditions, access, constant)`
bool BodyParser::guardedRead(Operand &o) {
  std::optional<std::vector<Constraint>> guard;
  std::optional<Access> access;
  if (!c.expect("(") || !(guard = p.exprs.conjunction()) || !c.expect(",") ||
      !(access = p.exprs.access()) || !c.expect(","))
    return false;
  o.guard = std::move(*guard);
  o.access = std::move(*access);
  std::string &text = o.otherwise;
  unsigned open = 0;
  for (StringRef rest = c.restOfLine();; rest = c.restOfLine()) {
    if (rest.empty())
      return c.fail("expected ')'");
    Lexeme l = firstLexeme(rest);
    if (l.text == ")" && open == 0)
      break;
    open += l.text == "(";
    open -= l.text == ")";
    text += l.text;
    c.advance(l.text.size());
  }
  text = StringRef(text).trim().str();
  std::string why = whyUnprintable(text);
  return why.empty() ? c.expect(")") : c.fail("the constant " + why);
}

} // namespace convopt
