// Names that are sold as items.

import { wellKnownAccounts, wellKnownCodes } from '../../../interfaces/index.ts'
import type { AccountFacts } from '../../input.ts'

const ROOTS: ReadonlySet<string> = new Set([wellKnownAccounts.tonDomains.id, wellKnownAccounts.tonDomainsOfTestnet.id])

/** Whether an account is a name of `.ton`. */
export function isDnsItem(known: AccountFacts | undefined): boolean {
  if (known === undefined) return false
  const collection = known.nftItem?.collection
  const isBelowRoot = typeof collection === 'string' && ROOTS.has(collection)
  // A chain of one's own has a root of its own.
  return known.codeHash === wellKnownCodes.domain.id || isBelowRoot || known.domain?.endsWith('.ton') === true
}

const FRAGMENT = 'https://nft.fragment.com'

/** Whether an account is a name or number that Fragment sells. */
export function isTeleitem(known: AccountFacts | undefined): boolean {
  const uri = known?.nftItem?.content?.uri
  return known?.interfaces.includes('teleitem') === true || (typeof uri === 'string' && uri.startsWith(FRAGMENT))
}

/** Whether an account resolves names, and so keeps records that can be changed. */
export const keepsRecords = (known: AccountFacts | undefined): boolean =>
  isDnsItem(known) || isTeleitem(known) || known?.interfaces.includes('dns') === true
