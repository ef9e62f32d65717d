// Parts of pages that an address opens at once. A page that begins with one has it in its script: a script of its own
// would be one more request.

import { hexOf, rawOf, type View } from './views.ts'

/** What the address has after its path. */
interface Search {
  get(name: string): string | null
}

/** The page, and which of its parts it begins with. */
export type PagePart =
  | 'account.contract'
  | 'account.methods'
  | 'account.balance'
  | 'account.transactions'
  | 'account.assets'
  | 'account.more'
  | 'transaction.more'
  | 'transaction.none'

const TABS = new Map<string, PagePart>([
  ['contract', 'account.contract'],
  ['methods', 'account.methods'],
  ['balance', 'account.balance'],
  ['tokens', 'account.assets'],
  ['nfts', 'account.assets'],
  ['items', 'account.assets'],
  ['transactions', 'account.transactions'],
  ['holders', 'account.more'],
  ['orders', 'account.more'],
  ['order', 'account.more'],
  ['vesting', 'account.more'],
  ['sale', 'account.more'],
])

function ofAccount(subject: string, search: Search): PagePart | null {
  if (rawOf(subject) === null) return 'account.more'
  const found = TABS.get(search.get('tab') ?? '')
  return found ?? (search.get('kind') !== null ? 'account.more' : null)
}

const isMore = (search: Search): boolean =>
  search.get('as') === 'flow' || ['messages', 'state', 'again', 'raw'].includes(search.get('view') ?? '')

/** The part a page begins with. `isMissing` says that what its path names does not exist. */
export function partOf({ page, subject }: View, search: Search, isMissing: boolean): PagePart | null {
  if (page === 'account') return ofAccount(subject, search)
  if (page !== 'transaction' && page !== 'trace') return null
  if (isMissing || hexOf(subject) === null) return 'transaction.none'
  return isMore(search) ? 'transaction.more' : null
}
