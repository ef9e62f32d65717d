// Every page of the explorer by its name in `shared/explorer/views.ts`: a page is one file, and one line here.

import type { ComponentType } from 'preact'
import type { PageName } from '../../shared/explorer/views.ts'
import { Home } from './home/Home.tsx'

export interface PageProps {
  /** What the path names: an address, a hash, a block; empty for pages without. */
  readonly subject: string
}

type Page = ComponentType<PageProps>

export const PAGES: Readonly<Record<PageName, Page>> = {
  home: Home,
}
