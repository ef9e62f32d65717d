// The page for unknown paths.

import type { ServiceFacts } from '../serviceFacts.ts'
import { html } from './html.ts'
import { renderPage } from './renderPage.ts'

export const missingPage = (facts: ServiceFacts): string =>
  renderPage(
    {
      path: null,
      title: `Not found · ${facts.title}`,
      description: 'There is no such page.',
      side: null,
      main: html`<section class="hero">
<h1>Not found</h1>
<p class="lede">There is no page at this address. The <a href="/">overview</a> lists what there is.</p>
</section>`,
    },
    facts,
  )
