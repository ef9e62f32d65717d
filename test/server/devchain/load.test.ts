// The load other tests and benchmarks fill chains with: it is as large as was requested, and it is what it says.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { jettonWalletInit, nftItemInit } from '../../../server/demo/contracts/index.ts'
import { Crowd, fillChain } from '../../setup/load.ts'
import { readChain, transactionsOf } from '../demo/readChain.ts'
import { openChain } from './devchains.ts'

test('default: a thousand transactions of every kind, and jettons add up', async () => {
  // No block is cut by time: how large it is depends on what was sent alone.
  const { chain, warnings } = await openChain({ limits: { maxTransactions: 1000, maxMs: Number.POSITIVE_INFINITY } })
  const sizes: number[] = []
  const forget = chain.onHead(({ shard }) => sizes.push(shard?.transactions ?? 0))
  const load = await fillChain(chain, { transactions: 1000, seed: 7, wallets: 60 })
  forget()
  expect(load.transactions).toBeGreaterThanOrEqual(1000)
  // Sixty messages at once lead to more than 300: they are spread over blocks that are short.
  expect(Math.max(...sizes)).toBeLessThan(300)
  expect(warnings).toEqual([])
  const facts = await readChain(chain)
  const held = load.owners.map(({ address }) =>
    facts.get(jettonWalletInit(load.jetton.address, address).address, 'get_wallet_data').readBigNumber(),
  )
  const supply = facts.get(load.jetton.address, 'get_jetton_data').readBigNumber()
  expect(held.reduce((sum, amount) => sum + amount)).toBe(supply)
  expect(supply).toBeLessThan(1_000_000n * BigInt(load.owners.length))
  const owner = facts.get(nftItemInit(load.collection.address, 0n).address, 'get_nft_data').skip(3).readAddress()
  expect(load.owners.some(({ address }) => Buffer.from(address.hash).equals(owner.hash))).toBe(true)
  const all = await transactionsOf(chain)
  const share = all.filter(({ aborted }) => aborted).length / all.length
  expect(share).toBeGreaterThan(0.02)
  expect(share).toBeLessThan(0.3)
  expect(all.some(({ inMessage }) => inMessage?.bounced)).toBe(true)
})

test('behavior: the same seed makes the same messages', () => {
  const digest = (seed: number): string => {
    const crowd = new Crowd(-3, { transactions: 100, seed, wallets: 10 })
    const hash = createHash('sha256')
    for (const message of [...crowd.beginnings(), ...crowd.round(), ...crowd.round()]) hash.update(message)
    return hash.digest('hex')
  }
  expect(digest(1)).toBe(digest(1))
  expect(digest(2)).not.toBe(digest(1))
})
