// Names that are sold as items.

import type { AccountFacts } from '../../input.ts'

const ITEM_CODE = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk='

const ROOTS: ReadonlySet<string> = new Set([
  '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF',
  // Of the test network.
  '0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD',
])

/** Whether an account is a name of `.ton`. */
export function isDnsItem(known: AccountFacts | undefined): boolean {
  if (known === undefined) return false
  const collection = known.nftItem?.collection
  const isBelowRoot = typeof collection === 'string' && ROOTS.has(collection)
  // A chain of one's own has a root of its own.
  return known.codeHash === ITEM_CODE || isBelowRoot || known.domain?.endsWith('.ton') === true
}

const FRAGMENT = 'https://nft.fragment.com'

/** Whether an account is a name or number that Fragment sells. */
export function isTeleitem(known: AccountFacts | undefined): boolean {
  const uri = known?.nftItem?.content?.uri
  return known?.interfaces.includes('teleitem') === true || (typeof uri === 'string' && uri.startsWith(FRAGMENT))
}
