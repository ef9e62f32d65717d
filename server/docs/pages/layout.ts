// The frame of every page: head, top bar, foot. Styles and script are files of their own, as the content security
// policy of the pages allows nothing inline.

import { publicOrigin, type ServiceFacts } from '../facts.ts'
import { type Html, html } from './html.ts'

/** Origin in samples until the script inserts that of the page. */
export const FALLBACK_ORIGIN = 'http://localhost:8081'

export const originOf = (facts: ServiceFacts): string => publicOrigin(facts) ?? FALLBACK_ORIGIN

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b74c4'/%3E%3Cpath d='M8 10h16L16 25z' fill='none' stroke='white' stroke-width='2.5' stroke-linejoin='round'/%3E%3Cpath d='M16 10v15' stroke='white' stroke-width='2.5'/%3E%3C/svg%3E"

/** The same as a file, for browsers that look for one. */
export const iconFile = decodeURIComponent(ICON.slice(ICON.indexOf(',') + 1))

const PAGES = [
  { href: '/', title: 'Overview' },
  { href: '/api/v2/', title: 'API v2' },
  { href: '/api/v3/', title: 'API v3' },
  { href: '/docs/', title: 'Guides' },
] as const

const CURRENT = html` aria-current="page"`

export interface Page {
  readonly path: (typeof PAGES)[number]['href'] | null
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
export function renderPage(page: Page, facts: ServiceFacts): string {
  const links = PAGES.map(
    ({ href, title }) => html`<li><a href="${href}"${href === page.path ? CURRENT : null}>${title}</a></li>`,
  )
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
<header class="top">
<a class="brand" href="/"><img src="${ICON}" alt="" width="24" height="24">${facts.title}</a>
<span class="network" title="The chain this service reads">${facts.network}</span>
<nav aria-label="Pages"><ul>${links}</ul></nav>
</header>
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
