// The frame of every page: head, top bar, foot. Styles and script are files of their own, as the content security
// policy of the pages allows nothing inline.

import { publicOrigin, type ServiceFacts } from '../serviceFacts.ts'
import { type Html, html } from './html.ts'
import { ICON } from './icon.ts'
import { topBar } from './topBar.ts'

/** Origin in samples until the script inserts that of the page. */
export const FALLBACK_ORIGIN = 'http://localhost:8081'

export const originOf = (facts: ServiceFacts): string => publicOrigin(facts) ?? FALLBACK_ORIGIN

export interface DocPage {
  readonly path: '/api/' | '/api/v2/' | '/api/v3/' | '/docs/' | null
  readonly title: string
  readonly description: string
  /** Side bar; null for pages without. */
  readonly side: Html | null
  readonly main: Html
}

/** Text of a sample; where no public address is known, the script puts in the one the page came from. */
export function sample(text: string, facts: ServiceFacts): Html {
  if (publicOrigin(facts) !== undefined) return html`${text}`
  const [first = '', ...rest] = text.split(FALLBACK_ORIGIN)
  return html`${first}${rest.map((piece) => html`<span data-origin>${FALLBACK_ORIGIN}</span>${piece}`)}`
}

/** A block of code that can be reached and scrolled by keyboard. */
export const codeBlock = (label: string, content: Html, kind = 'data'): Html =>
  html`<pre class="${kind}" tabindex="0" role="region" aria-label="${label}"><code>${content}</code></pre>`

/** A whole document. */
export function renderPage(page: DocPage, facts: ServiceFacts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/assets/reference.css">
<script type="module" src="/assets/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${topBar(facts, { root: '/', current: page.path?.slice(1) ?? null })}
<div class="${page.side ? 'shell' : 'shell alone'}">
${page.side}
<main id="main" tabindex="-1">
${page.main}
</main>
</div>
<footer class="foot">${facts.title} · v2 ${facts.versions.v2} · v3 ${facts.versions.v3} · ${facts.network}</footer>
</body>
</html>
`.text
}
