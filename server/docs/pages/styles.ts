// The stylesheet of all pages. A string in a source file, because the compiler carries nothing else along.

import { barStyles } from './barStyles.ts'
import { designTokens } from './designTokens.ts'

/** Served as `/assets/reference.css`. */
export const stylesheet = `
${designTokens}*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 6.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { overflow-wrap: anywhere; }
h1, h2, h3, h4, p, ul, dl, table, pre { margin: 0 0 1rem; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.01em; }
h1 { font-size: 2.25rem; letter-spacing: -0.025em; }
h1 span { color: var(--quiet); font-weight: 400; }
h2 { font-size: 1.375rem; margin-top: 2.75rem; padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); }
h4 { font-size: 0.8125rem; font-weight: 600; color: var(--quiet); margin-bottom: 0.5rem; letter-spacing: 0; }
.group > h2::first-letter { text-transform: uppercase; }
.quiet, .note { color: var(--quiet); }
.note { font-size: 0.8125rem; line-height: 1.45; margin: 0.25rem 0 0; }
.note:empty { display: none; }
.lede { font-size: 1.1875rem; line-height: 1.5; max-width: 46rem; }
.plain { padding-left: 1.25rem; max-width: 52rem; }
.plain li { margin-bottom: 0.35rem; }
section > p { max-width: 52rem; }
${barStyles}
.shell { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
.shell.alone { display: block; max-width: 66rem; margin: 0 auto; }
main { padding: 2.5rem 2.5rem 4rem; min-width: 0; max-width: 84rem; }
.side { position: sticky; top: 3.5rem; align-self: start; height: calc(100vh - 3.5rem); overflow-y: auto;
  padding: 1.25rem; background: var(--side); border-right: 1px solid var(--line); }
.tool { margin-bottom: 1rem; }
.contents > summary { display: none; }
.contents ul { margin: 0; padding: 0; list-style: none; font-size: 0.9375rem; }
.nav-group { margin-bottom: 0.9rem; }
.nav-group > a { display: block; padding: 0.2rem 0.5rem; font-weight: 600; color: var(--text); text-decoration: none; }
.nav-group > a::first-letter { text-transform: uppercase; }
.contents li li a { display: block; padding: 0.2rem 0.5rem; border-radius: 5px; color: var(--quiet);
  text-decoration: none; overflow-wrap: anywhere; }
.contents a:hover { background: var(--soft); color: var(--text); }

label { display: block; margin-bottom: 0.25rem; font-size: 0.875rem; font-weight: 600; }
input, select, textarea { display: block; width: 100%; min-width: 0; padding: 0.45rem 0.65rem; color: var(--text);
  background: var(--page); border: 1px solid color-mix(in srgb, var(--quiet) 70%, transparent); border-radius: 6px;
  font: 0.9375rem/1.4 var(--sans); }
.field input, .field textarea { font-family: var(--mono); font-size: 0.875rem; }
textarea { resize: vertical; }
::placeholder { color: var(--quiet); opacity: 1; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; border-color: var(--accent); }
button { padding: 0.45rem 1rem; border: 1px solid var(--accent); border-radius: 6px; background: var(--accent);
  color: var(--accent-text); font: 600 0.9375rem/1.4 var(--sans); cursor: pointer; }
button:hover { filter: brightness(1.1); }
button.second, button.try-button { background: transparent; color: var(--accent); }
button.second:hover, button.try-button:hover, .try-button[aria-expanded="true"] { background: var(--tint); }
.try-button { margin-left: auto; padding: 0.25rem 0.85rem; font-size: 0.875rem; }

.method { padding: 1.75rem 0 1.5rem; border-bottom: 1px solid var(--line); }
.method:last-child { border-bottom: 0; }
.method-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.65rem; margin-bottom: 0.4rem; }
.method h3 { margin: 0; font: 650 1.1875rem/1.3 var(--mono); overflow-wrap: anywhere; }
.anchor { color: var(--text); text-decoration: none; }
.anchor:hover { color: var(--accent); text-decoration: underline; }
.summary, .more { margin-bottom: 0.4rem; max-width: 52rem; }
.more { color: var(--quiet); }
.paths { margin-bottom: 1rem; color: var(--quiet); font-size: 0.9375rem; }
.verbs { display: flex; gap: 0.3rem; }
.verb, .chip { padding: 0.1rem 0.45rem; border-radius: 4px; font: 600 0.75rem/1.5 var(--mono); }
.verb.get { background: var(--get-tint); color: var(--get); }
.verb.post { background: var(--post-tint); color: var(--post); }
.verb.rpc { background: var(--rpc-tint); color: var(--rpc); }
.chip { background: var(--soft); color: var(--quiet); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem 2rem; }
@media (min-width: 80rem) { .columns { grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); } }
.type { margin-bottom: 0.5rem; }

table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { padding-top: 0; color: var(--quiet); font-size: 0.8125rem; font-weight: 600; }
tbody th { font-weight: 500; }
.params tbody th, .params td:nth-child(2) { width: 27%; }
.required, .params tbody th .quiet { display: block; font-size: 0.75rem; }
.required { color: var(--bad); }
.facets { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; margin-top: 0.3rem; }
.facet { padding: 0.05rem 0.45rem; border-radius: 4px; background: var(--soft); color: var(--quiet); font-size: 0.8125rem; }
td:last-child > .facets:first-child { margin-top: 0; }
.facts { width: auto; min-width: min(26rem, 100%); }
.facts tbody th { padding-right: 2rem; }
.facts:not(.plain-heads) tbody th::first-letter { text-transform: uppercase; }
.plain-heads code { white-space: nowrap; }
.shape { padding: 1.25rem 0 0.25rem; }
.shape h3 { margin: 0 0 0.4rem; font: 650 1.0625rem/1.3 var(--mono); overflow-wrap: anywhere; }
:target { scroll-margin-top: 1rem; }
.shape:target h3, tr:target { background: var(--tint); }
.facts td { font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }

pre { max-height: 26rem; overflow: auto; padding: 0.85rem 1rem; background: var(--code); border: 1px solid var(--line);
  border-radius: 8px; line-height: 1.55; tab-size: 2; }
pre code { font-size: 1em; overflow-wrap: normal; }
pre.sample { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.sample code { overflow-wrap: anywhere; }
.j-key { color: var(--j-key); } .j-text { color: var(--j-text); } .j-value { color: var(--j-value); }
.code { position: relative; }
.code > .copy { position: absolute; top: 0.4rem; right: 0.4rem; padding: 0.1rem 0.6rem; background: var(--code);
  color: var(--accent); border-color: var(--line); font-size: 0.8125rem; }
.code > pre { padding-right: 4.5rem; }
.copied { font-size: 0.875rem; color: var(--quiet); }
.copied:empty { display: none; }
.code > .copied { padding: 0.35rem 0.9rem; }
.buttons > .copied { align-self: center; min-width: 0; max-width: 100%; }
.door { margin-bottom: 0.5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
.door > summary { padding: 0.45rem 0.9rem; font-size: 0.875rem; font-weight: 600; cursor: pointer; border-radius: 8px; }
.door > summary:hover { background: var(--soft); }
.door[open] > summary { border-radius: 8px 8px 0 0; }
.door > pre, .door > .code > pre { margin: 0; border-width: 1px 0 0; border-radius: 0 0 8px 8px; }

.try { margin: 0 0 1.5rem; padding: 1.1rem; border: 1px solid var(--accent); border-radius: 10px; background: var(--raised); }
.try form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 0.9rem 1.25rem;
  align-items: start; }
.buttons { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0.6rem; }
.reply { min-width: 0; }
.reply > *, .question > * { margin: 0.9rem 0 0; }
.status { font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); }
.headers { display: flex; flex-wrap: wrap; gap: 0.35rem; padding: 0; list-style: none; }
.headers:empty { display: none; }
.headers li { padding: 0.1rem 0.55rem; border-radius: 4px; background: var(--soft); font-size: 0.875rem; }

.guide { max-width: 56rem; }
.guide pre { max-height: none; }
.guide h3 { margin-top: 2rem; }
.guide th, .guide td { overflow-wrap: normal; }
.guide td code { overflow-wrap: break-word; }
.contents li li a[aria-current] { color: var(--accent); font-weight: 600; }

.empty { margin: 1.5rem 0; max-width: 52rem; padding: 1.25rem 1.5rem; border: 1px dashed var(--quiet); border-radius: 10px; }
.empty h2 { margin: 0 0 0.35rem; border: 0; padding: 0; font-size: 1.125rem; }
.empty p { margin: 0; }
.hero h1 { font-size: clamp(2.5rem, 8vw, 3.75rem); margin-bottom: 0.75rem; }
.cards, .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.25rem; }
.pair > div { display: flex; flex-direction: column; min-width: 0; }
.pair pre { flex: 1; }
.card { display: flex; flex-direction: column; gap: 0.25rem; padding: 1.15rem 1.25rem; border: 1px solid var(--line);
  border-radius: 10px; background: var(--raised); color: var(--text); text-decoration: none; }
.card:hover { border-color: var(--accent); }
.card strong { font-size: 1.125rem; color: var(--accent); }
.card .quiet { font-size: 0.875rem; }
.places > div { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 1rem; padding: 0.5rem 0;
  border-bottom: 1px solid var(--line); }
.places dd { margin: 0; }
.foot { padding: 1.25rem 1.5rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; text-align: center; }

/* Here the bar has two lines. */
@media (max-width: 63.5rem) {
  .side { top: 6.2rem; height: calc(100vh - 6.2rem); }
}
@media (max-width: 55rem) {
  html { scroll-padding-top: 1rem; }
  .shell { display: block; }
  .side { position: static; height: auto; padding: 1rem; border-right: 0; border-bottom: 1px solid var(--line); }
  .contents > summary { display: list-item; padding: 0.25rem 0; font-weight: 600; cursor: pointer; }
  .contents ul { margin-top: 0.25rem; }
  .contents li li a { padding: 0.45rem 0.5rem; }
  main { padding: 1.5rem 1rem 3rem; }
  input, select, textarea, .field input, .field textarea { font-size: 1rem; }
  h1 { font-size: 1.875rem; }
  .lede { font-size: 1.0625rem; }
  .places > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@media (max-width: 40rem) {
  .params thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .params, .params tbody, .params tr, .params th, .params td { display: block; }
  .params tbody th, .params td:nth-child(2) { width: auto; }
  .params tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .params th, .params td { padding: 0.1rem 0; border: 0; }
  .required, .params tbody th .quiet { display: inline; margin-left: 0.4rem; }
  .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stack, .stack tbody, .stack tr { display: block; min-width: 0; }
  .stack tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .stack th, .stack td { display: inline-block; padding: 0.1rem 0.75rem 0.1rem 0; border: 0; }
  .stack td:last-child { display: block; }
  .stack code { white-space: normal; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { .side, .top nav, .try-button, .try { display: none; } .shell { display: block; } }
`.trimStart()
