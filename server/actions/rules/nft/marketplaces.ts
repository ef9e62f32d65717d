// Marketplaces people know by name: by the contract that takes the fee, else by the collection that is sold nowhere else.

import { wellKnownAccounts } from '../../../interfaces/index.ts'

const GETGEMS = 'getgems'
const FRAGMENT = 'fragment'

const BY_ADDRESS: ReadonlyMap<string, string> = new Map([
  [wellKnownAccounts.getgemsSales.id, GETGEMS],
  [wellKnownAccounts.marketapp.id, GETGEMS],
])

const BY_COLLECTION: ReadonlyMap<string, string> = new Map([
  [wellKnownAccounts.telegramUsernames.id, FRAGMENT],
  [wellKnownAccounts.telegramNumbers.id, FRAGMENT],
])

export function marketplaceName(address: string | null, collection: string | null): string | null {
  if (address !== null) return BY_ADDRESS.get(address) ?? null
  return collection === null ? null : (BY_COLLECTION.get(collection) ?? null)
}

export const isGetgems = (name: string | null): boolean => name === GETGEMS
