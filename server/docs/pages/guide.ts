// A guide as a page, and the index of all of them.

import { type Guide, guideGroups, readGuide } from '../guides.ts'
import type { ServiceFacts } from '../serviceFacts.ts'
import { type Html, html } from './html.ts'
import { type Heading, renderMarkdown } from './markdown.ts'
import { renderPage } from './renderPage.ts'

const CURRENT = html` aria-current="page"`

/** Contents of the page, and the other guides. */
function sideBar(current: Guide, headings: readonly Heading[]): Html {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3)
  const link = (name: string) =>
    html`<li><a href="/docs/${name}"${name === current.name ? CURRENT : null}>${readGuide(name).title}</a></li>`
  return html`<aside class="side" aria-label="Contents">
<details class="contents" open><summary>Contents</summary>
<nav aria-label="Contents"><ul>
<li class="nav-group"><a href="#main">${current.title}</a>
<ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></li>
${guideGroups.map(
  ({ title, guides }) => html`<li class="nav-group"><a href="/docs/">${title}</a>
<ul>${guides.map(({ name }) => link(name))}</ul></li>
`,
)}</ul></nav>
</details>
</aside>`
}

/** One whole page. Throws when the package has no such guide. */
export function guidePage(name: string, facts: ServiceFacts): string {
  const guide = readGuide(name)
  const { content, headings } = renderMarkdown(guide.text, facts)
  const about = guideGroups.flatMap(({ guides }) => guides).find((one) => one.name === name)?.about ?? ''
  return renderPage(
    {
      path: '/docs/',
      title: `${guide.title} · ${facts.title}`,
      description: about,
      side: sideBar(guide, headings),
      main: html`<article class="guide">
${content}
</article>`,
    },
    facts,
  )
}

/** One whole page for `/docs/`. */
export function guidesPage(facts: ServiceFacts): string {
  const card = ({ name, about }: { readonly name: string; readonly about: string }) =>
    html`<a class="card" href="/docs/${name}"><strong>${readGuide(name).title}</strong><span>${about}</span></a>
`
  return renderPage(
    {
      path: '/docs/',
      title: `Guides · ${facts.title}`,
      description: 'Guides for dapps, contracts, operators and contributors.',
      side: null,
      main: html`<h1>Guides</h1>
<p class="lede">The references of all methods are <a href="/api/v2/">API v2</a> and <a href="/api/v3/">API v3</a>.</p>
${guideGroups.map(
  ({ title, guides }) => html`<section>
<h2>${title}</h2>
<div class="cards">
${guides.map(card)}</div>
</section>
`,
)}`,
    },
    facts,
  )
}
