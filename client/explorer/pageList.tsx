// Every page of the explorer by its name in `shared/explorer/views.ts`: a page is one file, and one line
// here, which the build reads to have a script for each.

import type { PageName } from '../../shared/explorer/views.ts'
import { type Lazy, lazy, type PageProps } from './lazyPage.tsx'

const PAGES: Readonly<Record<PageName, Lazy<PageProps>>> = {
  home: lazy(async () => (await import('./home/Home.tsx')).Home),
  account: lazy(async () => (await import('./account/AccountPage.tsx')).AccountPage),
  transaction: lazy(async () => (await import('./trace/TracePage.tsx')).TracePage),
  trace: lazy(async () => (await import('./trace/TracePage.tsx')).TracePage),
  block: lazy(async () => (await import('./block/BlockPage.tsx')).BlockPage),
  search: lazy(async () => (await import('./search/SearchPage.tsx')).SearchPage),
  status: lazy(async () => (await import('./status/Status.tsx')).Status),
  wallets: lazy(async () => (await import('./wallets/Wallets.tsx')).Wallets),
  lab: lazy(async () => (await import('./lab/Lab.tsx')).Lab),
  console: lazy(async () => (await import('./console/Console.tsx')).Console),
  call: lazy(async () => (await import('./console/Console.tsx')).Console),
  cell: lazy(async () => (await import('./cell/CellPage.tsx')).CellPage),
  config: lazy(async () => (await import('./config/ConfigPage.tsx')).ConfigPage),
  validators: lazy(async () => (await import('./staking/Validators.tsx')).Validators),
  pools: lazy(async () => (await import('./staking/Pools.tsx')).Pools),
  pool: lazy(async () => (await import('./staking/Pool.tsx')).Pool),
}

/**
 * A step from a trace to one of its transactions, or from one method to another, stays in one page, which keeps its focus,
 * what is open and what was typed.
 */
const SAME: Partial<Record<PageName, PageName>> = { trace: 'transaction', call: 'console' }

export const pageOf = (name: PageName): Lazy<PageProps> => PAGES[SAME[name] ?? name]
