// The bar on top of every page: those of the explorer and of the reference.

import { THEME_SIGNS, type ThemeChoice } from '../../../shared/explorer/themes.ts'
import type { ServiceFacts } from '../serviceFacts.ts'
import { type Html, html } from './html.ts'
import { ICON } from './icon.ts'

interface Item {
  /** Below the address of the service. */
  readonly path: string
  readonly title: string
  /** Only for the embedded chain. */
  readonly devnet?: true
  /** Part of the explorer. */
  readonly explorer?: true
}

const ITEMS: readonly Item[] = [
  { path: '', title: 'Explorer', explorer: true },
  { path: 'wallets', title: 'Wallets', devnet: true, explorer: true },
  { path: 'lab', title: 'Lab', devnet: true, explorer: true },
  { path: 'console', title: 'Console', explorer: true },
  { path: 'api/v2/', title: 'API v2' },
  { path: 'api/v3/', title: 'API v3' },
  { path: 'docs/', title: 'Guides' },
]

const CURRENT = html` aria-current="page"`

/** The way from a path to the root of the service, so that pages work below the prefix of a proxy: `../` or `./`. */
export const wayToRoot = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'

const searchForm = (root: string): Html => html`<form class="search" role="search" method="post" action="${root}search">
<label class="for-readers" for="q">Search</label>
<input id="q" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200000" placeholder="Address, hash, block, name (/)" aria-keyshortcuts="/">
</form>`

export interface BarPlace {
  /** The way to the root of the service. */
  readonly root: string
  /** Path of the item that is shown. */
  readonly current: string | null
  readonly theme?: ThemeChoice
}

export function topBar(facts: ServiceFacts, { root, current, theme = 'auto' }: BarPlace): Html {
  const { title, network, explorer = true } = facts
  const themeTitle = `Theme: ${theme}`
  const items = ITEMS.filter((one) => (!one.devnet || network === 'devnet') && (!one.explorer || explorer))
  const links = items.map(
    ({ path, title: name }) => html`<li><a href="${root}${path}"${path === current ? CURRENT : null}>${name}</a></li>`,
  )
  return html`<header class="top">
<a class="brand" href="${root}"><img src="${ICON}" alt="" width="24" height="24">${title}</a>
<span class="network" id="head" title="The chain this service reads">${network}</span>
${explorer ? searchForm(root) : null}
<nav aria-label="Pages"><ul>${links}</ul></nav>
<button class="icon-button" id="theme" type="button" title="${themeTitle}" aria-label="${themeTitle}" hidden>${THEME_SIGNS[theme]}</button>
</header>`
}
