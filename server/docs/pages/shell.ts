// A page of the explorer as the service writes it: the frame, and for the script what the first view shows.

import { BOOT_ID, type Boot } from '../../../shared/explorer/boot.ts'
import { clockWords } from '../../../shared/explorer/clockWords.ts'
import type { PagePart } from '../../../shared/explorer/pageParts.ts'
import type { View } from '../../../shared/explorer/views.ts'
import type { ServiceFacts } from '../serviceFacts.ts'
import { Html, html } from './html.ts'
import { ICON } from './icon.ts'
import { topBar, wayToRoot } from './topBar.ts'
import { hasFacts, replyOf, type ViewFacts, viewFacts } from './viewFacts.ts'

export type Theme = 'light' | 'dark'

export interface Shell {
  readonly view: View
  /** What the page begins with; null for its usual beginning. */
  readonly part: PagePart | null
  /** Where browsers without scripts are redirected: the same page with a query that waits for late results, or without the secret. */
  readonly withoutScripts: string | null
  /** Why there is nothing to show, for the same browsers; null where there may be something. */
  readonly refusal: string | null
  /** Of the request, as the service sees it. */
  readonly path: string
  /** The one chosen on the page; null for that of the system. */
  readonly theme: Theme | null
  readonly boot: Omit<Boot, 'replies' | 'plugin' | 'script'>
  /** Path of the operator's decoders below the root; null without. */
  readonly plugin: string | null
  /** Results as JSON text, by the keys of their queries. */
  readonly replies: ReadonlyMap<string, string>
}

/** The files the explorer's page begins with, as the build names them. */
export interface PageFiles {
  readonly script: string
  /** Scripts that each page adds to it. */
  readonly pages: Readonly<Record<string, readonly string[]>>
  /** Scripts of pages together with parts of them. */
  readonly parts: Readonly<Record<PagePart, string>>
  readonly styles: string
  /** The worker that runs decoders of an operator. */
  readonly worker: string
}

/** As JSON for an element of a page: without the one character that could end it. */
function jsonOf({ boot, part, plugin: decoders, replies }: Shell, files: PageFiles): Html {
  const plugin: Boot['plugin'] = decoders === null ? null : { script: decoders, worker: `explorer/${files.worker}` }
  const script: Boot['script'] = part === null ? null : `explorer/${files.parts[part]}`
  const results = [...replies].map(([key, json]) => `${JSON.stringify(key)}:${json}`)
  const text = `${JSON.stringify({ ...boot, plugin, script }).slice(0, -1)},"replies":{${results.join()}}}`
  return new Html(text.replaceAll('<', '\\u003c'))
}

/** The script says the same in its place: what is below would jump. */
function clockNotice({ boot, replies }: Shell, root: string): Html | null {
  const words = clockWords(replyOf('dev.state', replies)?.clock_offset ?? 0)
  const link = boot.control ? html` <a href="${root}lab">Change the clock</a>` : null
  return words === null ? null : html`<div class="notice" role="status"><p>${words}${link}</p></div>`
}

/** A redirect for browsers without scripts; in the head, so that it happens before anything is drawn. */
function wayToFacts({ view, withoutScripts, refusal }: Shell, hasRows: boolean): Html | null {
  if (withoutScripts === null || !hasFacts(view) || (hasRows && refusal === null)) return null
  return html`<noscript><meta http-equiv="refresh" content="0;url=${withoutScripts}"></noscript>\n`
}

/** Of what a path names and nothing was found of, as of a mistyped address: the search says why, and what is near. */
const wayToSearch = ({ subject }: View): ViewFacts['rows'] =>
  subject === '' ? [] : [['Note', 'Nothing is known of it. Search for it', `search?q=${encodeURIComponent(subject)}`]]

/** A whole document. */
export function shellPage(shell: Shell, files: PageFiles, facts: ServiceFacts): string {
  const { view, part, path, theme, refusal } = shell
  const scripts = part === null ? (files.pages[view.page] ?? []) : [files.parts[part]]
  const root = wayToRoot(path)
  const { headline, rows } =
    refusal === null ? viewFacts(view, shell.replies) : { headline: null, rows: [['Note', refusal] as const] }
  const shown = rows.length === 0 && hasFacts(view) ? wayToSearch(view) : rows
  const what = headline === null ? view.title : `${headline} · ${view.title}`
  const at = (name: string): string => `${root}explorer/${name}`
  return html`<!doctype html>
<html lang="en"${theme === null ? null : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${wayToFacts(shell, rows.length > 0)}<title>${view.title} · ${facts.title} ${facts.network}</title>
<meta name="description" content="${what} on ${facts.network}">
<meta property="og:title" content="${what} · ${facts.network}">
<meta property="og:description" content="${rows
    // What a row leads to is another page's.
    .filter(([, , to]) => !to)
    .map(([name, text]) => `${name}: ${text}`)
    .join(' · ')}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${at(files.styles)}">
${scripts.map((name) => html`<link rel="modulepreload" href="${at(name)}">`)}
<script type="module" src="${at(files.script)}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${topBar(facts, { root, current: view.path.split('/')[1] ?? '', theme: theme ?? 'auto' })}
<div id="notices">${clockNotice(shell, root)}</div>
<main id="main" tabindex="-1">
<h1>${view.title}</h1>
<noscript>
<dl class="facts">${shown.map(([name, text, to]) => html`<div><dt>${name}</dt><dd>${to ? html`<a dir="auto" href="${root}${to}">${text}</a>` : text}</dd></div>`)}</dl>
<p>This page is made by a script. The same data without one: <a href="${root}api/v2/">API v2</a>, <a href="${root}api/v3/">API v3</a>, <a href="${root}readyz">health</a>.</p>
</noscript>
<p class="late">The script of this page did not load: the service may have been updated. <a href="">Reload the page</a>.</p>
</main>
<div id="corner"></div>
<footer class="foot"><span>${facts.title} · v2 ${facts.versions.v2} · v3 ${facts.versions.v3} · ${facts.network}</span>
<a href="${root}api/v2/">v2</a> <a href="${root}api/v3/">v3</a> <a href="${root}openapi/v3.json">OpenAPI</a>
<a href="${root}docs/">Guides</a> <a href="${root}status">Status</a> <a href="${root}metrics">Metrics</a> <a href="${root}api/">Addresses</a>
<button type="button" class="zone" id="copy-url" hidden>Copy RPC URL</button></footer>
<script type="application/json" id="${BOOT_ID}">${jsonOf(shell, files)}</script>
</body>
</html>
`.text
}
