// Items first deployed in a pending trace, so the index does not know them yet: what they are deployed with begins with
// their number and with the collection that deploys them.

import { type Cell, openCell, orNull } from '../cell/index.ts'
import { loadStateInit } from '../tlb/index.ts'
import { accountsBegun } from './accountsBegun.ts'
import type { AccountFacts, AccountsFacts, TraceInput } from './input.ts'
import { cellOf } from './node.ts'
import { readAddress } from './reading.ts'

/** Bits of a number, in the usual items and in names. */
const NUMBERS = [64, 256]

const dataOf = (init: Uint8Array | null): Cell | null => {
  const cell = cellOf(init)
  return cell === null ? null : orNull(() => loadStateInit(openCell(cell)).data)
}

/** Of a bill of liquid staking: a flag, and the number behind the collection. */
function numberOfBill(data: Cell, collection: string): bigint | null {
  return orNull(() => {
    const slice = openCell(data).skip(1)
    return readAddress(slice) === collection ? slice.loadUintBig(64) : null
  })
}

/** The number in front of the collection; null where that is not there. */
function numberIn(data: Cell, collection: string): bigint | null {
  for (const bits of NUMBERS) {
    const index = orNull(() => {
      const slice = openCell(data)
      const number = slice.loadUintBig(bits)
      return readAddress(slice) === collection ? number : null
    })
    if (index !== null) return index
  }
  return numberOfBill(data, collection)
}

/** The facts, and those that can be supposed. */
export function withNewItems(input: Pick<TraceInput, 'transactions'>, facts: AccountsFacts): AccountsFacts {
  const begun = accountsBegun(input)
  const supposed = new Map<string, AccountFacts>(facts)
  for (const { account, inMessage } of input.transactions) {
    const collection = inMessage?.source ?? null
    const known = facts.get(account) ?? { interfaces: [], codeHash: null }
    if (inMessage === null || collection === null || !begun.has(account) || known.nftItem !== undefined) continue
    if (!begun.has(collection) && facts.get(collection)?.interfaces.includes('nft_collection') !== true) continue
    const data = dataOf(inMessage.init)
    // Names of Telegram keep both in a cell of their own.
    const index = [data, data?.refs[0]].reduce<bigint | null>(
      (found, cell) => found ?? (cell ? numberIn(cell, collection) : null),
      null,
    )
    if (index !== null) supposed.set(account, { ...known, nftItem: { index, collection, owner: null, content: null } })
  }
  return supposed
}
