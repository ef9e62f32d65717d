// What thousands of transactions moved, added up in pieces.

import { expect, test } from 'vitest'
import { writeBoc } from '../../../server/cell/index.ts'
import { nftTransferBody } from '../../../server/demo/contracts/index.ts'
import { addingUpByAccount, type KnownTokens } from '../../../server/methods/balance/changes.ts'
import { keyOfAccount, rawOfKey } from '../../../server/methods/keyOfAccount.ts'
import type { TransactionFound } from '../../../server/store/index.ts'

const COUNT = 20_000

const hashOf = (n: number): Uint8Array => Buffer.from(n.toString(16).padStart(64, '0'), 'hex')

/** Adds up transactions of so many accounts; each of these is an item. */
function addUp(accounts: number) {
  const account = (n: number): Uint8Array => keyOfAccount({ workchain: 0, hash: hashOf((n * 7919) % accounts) })
  const to = { workchain: 0, hash: hashOf(COUNT) }
  const body = writeBoc(nftTransferBody({ queryId: 1n, to, responseTo: to, forwardAmount: 0n }), 0)
  let read = 0
  const all = Array.from({ length: COUNT }, (_, n) => {
    const row = { hash: hashOf(n), account: account(n), lt: BigInt(n), totalFees: 2n, description: '{"aborted":false}' }
    const inMessage = {
      value: 10n,
      ihrFee: 0n,
      source: account(n),
      get body() {
        read++
        return body
      },
    }
    // The cast: nothing else of them is read.
    return { row, inMessage, outMessages: [] } as unknown as TransactionFound
  })
  const items = new Set(all.map(({ row }) => rawOfKey(row.account)))
  const tokens: KnownTokens = { wallets: new Map(), items, owners: new Map() }
  const work = addingUpByAccount(all, tokens)
  let pauses = 0
  let most = 0
  let step = work.next()
  for (; step.done !== true; step = work.next()) {
    pauses++
    most = Math.max(most, read)
    read = 0
  }
  return { items, to: rawOfKey(keyOfAccount(to)), pauses, most, sums: step.value }
}

test('20,000 transactions are added up a hundred at a time', () => {
  const { items, to, pauses, most, sums } = addUp(5_000)
  expect(pauses).toBeGreaterThan(COUNT / 100)
  expect(most).toBeLessThan(110)
  const names = Object.keys(sums)
  expect(names).toEqual([...items, to].sort())
  for (const name of items) expect(sums[name]).toMatchObject({ ton: '32', fees: '8', jettons: {} })
})

test('so are those of one item', () => {
  const { items, to, most, sums } = addUp(1)
  expect(most).toBeLessThan(110)
  expect(items.size).toBe(1)
  expect(sums[to]?.nfts).toHaveLength(COUNT)
})
