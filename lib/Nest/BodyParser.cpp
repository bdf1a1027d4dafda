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
  if (!c.endLine(range))
    return false;
  ++depth;
  SourceRange end;
  bool good = body(out) && c.expect("}") && c.endLine(end);
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
  auto result = std::make_shared<Loop>(0);
  std::string name;
  if (!c.name(name, "the loop's name") || !c.expectWord("in") ||
      !p.exprs.bounds(result->lower, "max") || !c.expect("..") ||
      !p.exprs.bounds(result->upper, "min") || !kind(result->kind) ||
      (result->kind == LoopKind::Stream &&
       !c.number(result->streams, "how many streams there are")))
    return false;
  result->isAtomic = result->kind != LoopKind::Serial && c.eatWord("atomic");

  size_t afterBounds = c.position();
  c.setPosition(start);
  if (!p.loop(result->id, name))
    return false;
  seen.resize(nest.loopNames.size());
  if (seen[result->id])
    return c.fail("loop '" + name +
                  "' is in the nest already; names of "
                  "loops are unique");
  seen[result->id] = true;
  c.setPosition(afterBounds);

  enclosing.push_back(result->id);
  bool good = inside(result->body, result->range);
  enclosing.pop_back();
  out.push_back(std::move(result));
  return good;
}

bool BodyParser::guard(Body &out) {
  auto result = std::make_shared<Guard>();
  bool good = p.exprs.conjunction(result->conditions) &&
              inside(result->body, result->range);
  out.push_back(std::move(result));
  return good;
}

bool BodyParser::local(Body &out) {
  unsigned array = 0;
  SourceRange range;
  const bool good = p.exprs.array(array) && c.endLine(range);
  out.push_back(std::make_shared<Local>(array, range));
  return good;
}

bool BodyParser::barrier(Body &out) {
  SourceRange range;
  const bool good = c.endLine(range);
  out.push_back(std::make_shared<Barrier>(range));
  return good;
}

/// The buffer that is named here.
bool BodyParser::buffer(unsigned &buffer) {
  StringRef name = c.peekWord();
  const std::optional<unsigned> found = p.exprs.findArray(name);
  if (!found || !nest.arrays[*found].buffer)
    return c.fail(name.empty() ? Twine("expected a buffer")
                               : "no buffer is called '" + name + "'");
  buffer = *found;
  c.advance(name.size());
  return true;
}

bool BodyParser::endCopy(std::shared_ptr<Copy> copy, Access box, Body &out) {
  const Array &buffer = nest.arrays[copy->buffer];
  if (box.array != buffer.buffer->of)
    return c.fail("'" + buffer.name + "' is a buffer of '" +
                  nest.arrays[buffer.buffer->of].name + "'");
  copy->base = std::move(box.subscripts);
  copy->from = box.buffer;
  out.push_back(copy);
  return c.endLine(copy->range);
}

/// `copy inputs_s = inputs[n][16 * y_b][0]`
bool BodyParser::copy(Body &out) {
  auto result = std::make_shared<Copy>(0);
  if (!buffer(result->buffer) || !c.expect("="))
    return false;
  std::optional<unsigned> counted;
  if (nest.arrays[result->buffer].buffer->unfolding)
    counted = result->buffer;
  Access box;
  return p.exprs.access(box, counted) &&
         endCopy(std::move(result), std::move(box), out);
}

/// `store outputs[n][16 * y_b][0] = outputs_s`
bool BodyParser::store(Body &out) {
  auto result = std::make_shared<Copy>(0);
  result->isStore = true;
  Access box;
  return p.exprs.access(box) && c.expect("=") && buffer(result->buffer) &&
         endCopy(std::move(result), std::move(box), out);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool BodyParser::statement(unsigned id, Body &out) {
  auto s = std::make_shared<Statement>(id);
  out.push_back(s);
  return instance(*s) && c.expect(":") && p.exprs.access(s->target) &&
         operation(*s) && rightHandSide(*s) && c.endLine(s->range);
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
    std::string name;
    unsigned &id = s.iterators.emplace_back();
    if (!c.name(name, "an iterator's name") || !p.loop(id, name))
      return false;
    IndexExpr &value = s.instance.emplace_back(IndexExpr::loop(id));
    if (c.eat("=") && !p.exprs.expr(value))
      return false;
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
    if (!c.expect("(") || !p.exprs.expr(o.index) || !c.expect(")"))
      return false;
  } else if (called && (word == "guarded" || word == "predicated")) {
    o.isPredicate = word == "predicated";
    if (!guardedRead(o))
      return false;
  } else {
    c.setPosition(start);
    if (!p.exprs.findArray(word))
      return true;
    if (!p.exprs.access(o.access))
      return false;
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
  if (!c.expect("(") || !p.exprs.conjunction(o.guard) || !c.expect(",") ||
      !p.exprs.access(o.access) || !c.expect(","))
    return false;
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
