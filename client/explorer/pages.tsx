// Every page of the explorer by its name in `shared/explorer/views.ts`: a page is one file, and one line here.

import type { PageName } from '../../shared/explorer/views.ts'
import { AccountPage } from './account/AccountPage.tsx'
import { BlockPage } from './block/BlockPage.tsx'
import { Home } from './home/Home.tsx'
import { lazy, type Page } from './page.tsx'
import { TracePage } from './trace/TracePage.tsx'

export const PAGES: Readonly<Record<PageName, Page>> = {
  home: Home,
  account: AccountPage,
  transaction: TracePage,
  trace: TracePage,
  block: BlockPage,
  search: lazy(async () => (await import('./search/SearchPage.tsx')).SearchPage),
  status: lazy(async () => (await import('./status/Status.tsx')).Status),
  wallets: lazy(async () => (await import('./wallets/Wallets.tsx')).Wallets),
  lab: lazy(async () => (await import('./lab/Lab.tsx')).Lab),
  console: lazy(async () => (await import('./console/Console.tsx')).Console),
  call: lazy(async () => (await import('./console/Console.tsx')).Console),
  cell: lazy(async () => (await import('./cell/CellPage.tsx')).CellPage),
  config: lazy(async () => (await import('./config/Config.tsx')).Config),
  validators: lazy(async () => (await import('./staking/Validators.tsx')).Validators),
  pools: lazy(async () => (await import('./staking/Pools.tsx')).Pools),
  pool: lazy(async () => (await import('./staking/Pool.tsx')).Pool),
}
