// An item of which several transactions, each of its own trace, are in one block: what they changed adds up to what the block did.

import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { writeBoc } from '../../server/cell/index.ts'
import { nftTransferBody } from '../../server/demo/contracts/index.ts'
import { person } from '../server/devchain/contracts/network.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { untilIndexed } from '../setup/untilIndexed.ts'

const service = forAllTests(() => serve({ withIndex: true }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 600_000 })

const rawOf = (byte: number): string => `0:${byte.toString(16).toUpperCase().repeat(32)}`
const alice = 0xa1
const bob = 0xb1
const carol = 0xc1

function transferBody(from: number, to: number): string {
  const body = nftTransferBody({ queryId: 1n, to: person(to), responseTo: person(from) })
  return Buffer.from(writeBoc(body)).toString('base64')
}

/** A request to hand on the item; or nothing but TON. */
interface Sending {
  readonly from: number
  readonly to?: number
}

/** What the transactions of the item in one block say that it moved, trace by trace. */
async function movesOf(sendings: readonly Sending[]) {
  const { item } = await client().dev.nft({ address: rawOf(alice) })
  await client().dev.setMining({ mode: 'manual' })
  const sent: Promise<unknown>[] = []
  for (const { from, to } of sendings) {
    const more = to === undefined ? {} : { body: transferBody(from, to) }
    sent.push(client().dev.sendInternal({ from: rawOf(from), to: item, value: '200000000', bounce: false, ...more }))
    await expect.poll(async () => (await client().dev.state()).pending).toBe(sent.length)
  }
  const { seqno } = await client().dev.mine({ blocks: 3 })
  await Promise.all(sent)
  await client().dev.setMining({ mode: 'auto' })
  await untilIndexed(client(), seqno)
  const { transactions } = await client().v3.transactions({ account: [item], sort: 'asc', limit: 100 })
  const own = transactions.slice(-sendings.length)
  expect(new Set(own.map((row) => row.mc_block_seqno)).size).toBe(1)
  const moves: unknown[] = []
  for (const { trace_id } of own) {
    const { nfts } = await client().v3.balanceChanges({ trace_id: trace_id ?? '' })
    moves.push(Object.fromEntries(Object.entries(nfts).map(([owner, all]) => [owner, all.map(({ gained }) => gained)])))
  }
  return moves
}

const FROM_ALICE = { [rawOf(alice)]: [false], [rawOf(bob)]: [true] }

test('a transfer, and one that is refused because of it', async () => {
  const given = { from: alice, to: bob }
  expect(await movesOf([given, { from: alice, to: carol }])).toEqual([FROM_ALICE, {}])
})

test('a transfer, and one on behind it', async () => {
  const on = { [rawOf(bob)]: [false], [rawOf(carol)]: [true] }
  expect(
    await movesOf([
      { from: alice, to: bob },
      { from: bob, to: carol },
    ]),
  ).toEqual([FROM_ALICE, on])
})

test('a transfer, and TON behind it', async () => {
  expect(await movesOf([{ from: alice, to: bob }, { from: carol }])).toEqual([FROM_ALICE, {}])
})
