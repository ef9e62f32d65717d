// An item of which several transactions, each of its own trace, are in one block: what they changed adds up to what the block did.

import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { writeBoc } from '../../server/cell/index.ts'
import { nftTransferBody, offChainContent, singleNft } from '../../server/demo/contracts/index.ts'
import { stateInit } from '../../server/devchain/index.ts'
import { person } from '../server/devchain/contracts/network.ts'
import { makePoliteItem } from '../setup/politeItem.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { untilIndexed } from '../setup/untilIndexed.ts'

const service = forAllTests(() => serve({ withIndex: true }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 600_000 })

const rawOf = (byte: number): string => `0:${byte.toString(16).toUpperCase().repeat(32)}`
const alice = 0xa1
const bob = 0xb1
const carol = 0xc1
const mallory = 0xd1

function transferBody(from: number, to: number): string {
  const body = nftTransferBody({ queryId: 1n, to: person(to), responseTo: person(from) })
  return Buffer.from(writeBoc(body)).toString('base64')
}

/** The next item's address. */
let made = 0x10

/** A request to hand on the item; or nothing but TON, which may make it. */
interface Sending {
  readonly from: number
  readonly to?: number
  readonly init?: string
}

/** What the transactions of the item in one block say that it moved, trace by trace. */
async function movesOf(sendings: readonly Sending[], usual?: string) {
  const item = usual ?? (await client().dev.nft({ address: rawOf(alice) })).item
  await client().dev.setMining({ mode: 'manual' })
  const sent: Promise<unknown>[] = []
  for (const { from, to, init } of sendings) {
    const more = { ...(to === undefined ? {} : { body: transferBody(from, to) }), ...(init && { init }) }
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

test('one that is made, with TON or a transfer behind it', async () => {
  const madeNow = (index: bigint) => {
    const { address, code, data } = singleNft(index, person(alice), offChainContent('data:application/json,{}'))
    const init = Buffer.from(writeBoc(stateInit({ code, data }))).toString('base64')
    return { item: `0:${Buffer.from(address.hash).toString('hex').toUpperCase()}`, making: { from: alice, init } }
  }
  const isMade = { [rawOf(alice)]: [true] }
  const first = madeNow(1n)
  expect(await movesOf([first.making, { from: carol }], first.item)).toEqual([isMade, {}])
  const second = madeNow(2n)
  expect(await movesOf([second.making, { from: alice, to: bob }], second.item)).toEqual([isMade, FROM_ALICE])
})

describe('an item that ignores the requests of others', () => {
  const agent = 0xe1
  const there = { from: alice, to: bob }
  const stolen = { from: mallory, to: mallory }

  test.each<[string, readonly Sending[], readonly unknown[]]>([
    ['before a transfer', [stolen, there], [{}, FROM_ALICE]],
    ['behind a transfer', [there, stolen], [FROM_ALICE, {}]],
    ['with the same receiver, before a transfer', [{ from: mallory, to: bob }, there], [{}, FROM_ALICE]],
    ['by who is going to own it', [{ from: bob, to: carol }, there], [{}, FROM_ALICE]],
    ['by who owned it', [there, { from: alice, to: carol }], [FROM_ALICE, {}]],
    ['alone', [stolen, stolen], [{}, {}]],
    ['beside the request of an agent', [{ from: agent, to: bob }, stolen], [FROM_ALICE, {}]],
  ])('%s', async (_, sendings, moves) => {
    const address = made++
    const item = await makePoliteItem(client(), { address, owner: alice, agent })
    expect(await movesOf(sendings, item)).toEqual(moves)
  })

  test('handed on from owner to owner, and away from it in the trace of the first', async () => {
    const item = await makePoliteItem(client(), { address: made++, owner: alice, agent })
    const on = { from: bob, to: carol }
    const back = { from: carol, to: alice }
    expect(await movesOf([there, stolen, on, there, back], item)).toEqual([
      FROM_ALICE,
      {},
      { [rawOf(bob)]: [false], [rawOf(carol)]: [true] },
      {},
      { [rawOf(carol)]: [false], [rawOf(alice)]: [true] },
    ])
  })

  test('what was requested is listed all the same', async () => {
    const item = await makePoliteItem(client(), { address: made++, owner: alice, agent })
    expect(await movesOf([stolen], item)).toEqual([{}])
    const { nft_transfers } = await client().v3.nft.transfers({ item_address: [item] })
    const requested = { old_owner: rawOf(mallory), new_owner: rawOf(mallory), transaction_aborted: false }
    expect(nft_transfers).toMatchObject([requested])
    const { actions } = await client().v3.actions({ trace_id: [nft_transfers[0]?.trace_id ?? ''] })
    expect(actions).toMatchObject([{ type: 'nft_transfer', success: true, details: { old_owner: rawOf(mallory) } }])
    const { nft_items } = await client().v3.nft.items({ address: [item] })
    expect(nft_items).toMatchObject([{ owner_address: rawOf(alice) }])
  })

  test('in the first block that an index sees of the item', async () => {
    const item = await makePoliteItem(client(), { address: made++, owner: alice, agent }, false)
    expect(await movesOf([stolen], item)).toEqual([{}])
    const other = await makePoliteItem(client(), { address: made++, owner: alice, agent }, false)
    expect(await movesOf([there], other)).toEqual([FROM_ALICE])
  })
})
