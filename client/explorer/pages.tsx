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
}
