//===- HtmlStyle.h - The look of a report -----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_HTMLSTYLE_H
#define CONVOPT_LIB_BENCH_HTMLSTYLE_H

namespace convopt::bench {

/// No `<`, `>` or `&`: it stands in a page that is XML, too.
inline constexpr const char *HtmlStyle = R"(
:root { color-scheme: light dark;
  --page: #fff; --ink: #1f2328; --soft: #59636e; --rule: #d1d9e0;
  --panel: #f6f8fa; --bad: #b42318; --shade: #1f232833;
  --k0: #6b7280; --k1: #2563eb; --k2: #d97706; --k3: #059669;
  --k4: #c026d3; --k5: #dc2626; --k6: #0891b2; --k7: #7c3aed; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0d1117; --ink: #e6edf3; --soft: #9198a1; --rule: #30363d;
  --panel: #151b23; --bad: #ff7b72; --shade: #e6edf355;
  --k0: #9ca3af; --k1: #60a5fa; --k2: #fbbf24; --k3: #34d399;
  --k4: #e879f9; --k5: #f87171; --k6: #22d3ee; --k7: #a78bfa; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem;
  background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans",
  sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem;
  border-bottom: 1px solid var(--rule); padding-bottom: .25rem; }
p { margin: .25rem 0; }
p.soft, figcaption, td.soft { color: var(--soft); }
code, pre { font: 12.5px/1.45 ui-monospace, SFMono-Regular, Menlo,
  "DejaVu Sans Mono", monospace; }
p code { overflow-wrap: anywhere; }
/* A shade at the edge behind which more of it is. */
.wide { overflow-x: auto; background:
  linear-gradient(to right, var(--page) 40%, transparent) left / 3rem 100%
    no-repeat local,
  linear-gradient(to left, var(--page) 40%, transparent) right / 3rem 100%
    no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / 1rem 100%
    no-repeat,
  linear-gradient(to left, var(--shade), transparent) right / 1rem 100%
    no-repeat; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums;
  font-size: 13.5px; margin: .5rem 0; }
th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
th.text, td.text { text-align: left; }
td.shapes { white-space: normal; min-width: 12rem; }
td.kernel { white-space: normal; min-width: min(14rem, 30vw); }
td.kernel, th:first-child { position: sticky; left: 0;
  background: var(--page); }
.word { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
tr.shape td { text-align: left; white-space: normal; padding-top: 1rem; }
/* Stays in view while figures move. */
tr.shape div { position: sticky; left: .6rem; width: max-content;
  max-width: calc(100vw - 4.2rem); }
.bad { color: var(--bad); }
ul.legend, ol.shapes { list-style-position: inside; padding: 0;
  margin: .25rem 0; display: flex; flex-wrap: wrap; gap: .15rem 1.4rem;
  font-size: 13px; }
ul.legend { list-style: none; }
ul.legend svg { width: 14px; height: 14px; vertical-align: -2px;
  margin-right: .35rem; display: inline; }
svg { display: block; width: 100%; height: auto; font-size: 12px; }
.wide svg { min-width: 42rem; }
svg text { fill: var(--ink); }
svg .tick, svg .axis, svg .none, svg .number { fill: var(--soft); }
svg .number { font-size: 11px; }
svg .none { font-style: italic; }
svg .value, svg .roof-label { paint-order: stroke; stroke: var(--page);
  stroke-width: 4px; stroke-linejoin: round; }
svg .title { font-weight: 600; }
svg .roof-label { font-weight: 600; }
svg .grid { stroke: var(--rule); stroke-width: .6; }
svg .shape { stroke: var(--rule); stroke-dasharray: 2 3; }
svg .base { stroke: var(--soft); }
svg .roof { stroke: var(--ink); stroke-width: 2; fill: none; }
svg .mark { stroke: var(--page); stroke-width: .8; }
.k0 { fill: var(--k0); } .k1 { fill: var(--k1); } .k2 { fill: var(--k2); }
.k3 { fill: var(--k3); } .k4 { fill: var(--k4); } .k5 { fill: var(--k5); }
.k6 { fill: var(--k6); } .k7 { fill: var(--k7); }
details { margin: .5rem 0; }
summary { cursor: pointer; }
.pair { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.pair figure { margin: .5rem 0; min-width: 0; }
pre { background: var(--panel); border: 1px solid var(--rule);
  border-radius: 6px; padding: .75rem; margin: .25rem 0; overflow: auto;
  max-height: 40rem; }
@media print { pre { max-height: none; } .wide { overflow: visible; } }
)";

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_HTMLSTYLE_H
