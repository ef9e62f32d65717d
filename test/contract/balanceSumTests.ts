// What the balance changes of all traces of a chain add up to: what everybody holds in the end.

import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../client/index.ts'

const ROOM_MS = 600_000

type Sums = Map<string, bigint>

const add = (sums: Sums, name: string, amount: bigint) => sums.set(name, (sums.get(name) ?? 0n) + amount)

/** More than these there have to be, or nothing was compared. */
interface Least {
  readonly traces: number
  /** Traces of which every state is known. */
  readonly compared: number
  readonly holders: number
  readonly items: number
}

/** Tests of the suite it is called in; their traces are there when they begin. */
export function balanceSumTests(client: () => Client, least: Least) {
  const total: { ton: Sums; jettons: Sums; nfts: Sums; ids: string[] } = {
    ton: new Map(),
    jettons: new Map(),
    nfts: new Map(),
    ids: [],
  }

  beforeAll(async () => {
    for await (const { trace_id } of client().v3.traces.each({ limit: 100 }))
      if (trace_id !== null) total.ids.push(trace_id)
    for (const trace_id of total.ids) {
      const { changes, jettons, nfts } = await client().v3.balanceChanges({ trace_id })
      for (const [name, amount] of Object.entries(changes)) add(total.ton, name, BigInt(amount))
      for (const [owner, held] of Object.entries(jettons))
        for (const [master, amount] of Object.entries(held)) add(total.jettons, `${owner} ${master}`, BigInt(amount))
      for (const [owner, moves] of Object.entries(nfts))
        for (const { address, gained } of moves) add(total.nfts, `${owner} ${address}`, gained ? 1n : -1n)
    }
  }, ROOM_MS)

  test(
    'TON adds up to what each account has now, less what it began with',
    async () => {
      expect(total.ids.length).toBeGreaterThan(least.traces)
      const wrong: string[] = []
      for (const [address, sum] of total.ton) {
        const [now, { transactions }] = await Promise.all([
          client().getAddressBalance({ address }),
          client().v3.transactions({ account: [address], sort: 'asc', limit: 1 }),
        ])
        const then = transactions[0]?.account_state_before.balance ?? '0'
        // Contracts of the masterchain also move in the block that is the first here.
        if (address.startsWith('-1:')) continue
        if (BigInt(now) - BigInt(then) !== sum) wrong.push(`${address}: ${now} - ${then}, not ${sum}`)
      }
      expect(wrong).toEqual([])
    },
    ROOM_MS,
  )

  test(
    'jettons add up to what each owner holds now',
    async () => {
      const held: Sums = new Map()
      for await (const { owner, jetton, balance } of client().v3.jetton.wallets.each({ limit: 100 }))
        add(held, `${owner} ${jetton}`, BigInt(balance))
      expect(held.size).toBeGreaterThan(least.holders)
      const own = (sums: Sums) => [...sums].filter(([, sum]) => sum !== 0n).sort()
      expect(own(total.jettons)).toEqual(own(held))
    },
    ROOM_MS,
  )

  test(
    'items add up to what each owner has now, those that were minted among them',
    async () => {
      const owned: string[] = []
      for await (const { address, owner_address: owner } of client().v3.nft.items.each({ limit: 100 }))
        if (owner !== null) owned.push(`${owner} ${address}`)
      expect(owned.length).toBeGreaterThan(least.items)
      const held = [...total.nfts].filter(([, sum]) => sum !== 0n)
      expect(held.sort()).toEqual(owned.map((name) => [name, 1n]).sort())
    },
    ROOM_MS,
  )

  test(
    'in each trace TON is what states before and after say',
    async () => {
      let compared = 0
      for await (const { trace_id, transactions = {}, transactions_order: order = [] } of client().v3.traces.each({
        limit: 50,
      })) {
        const own: Sums = new Map()
        let isKnown = trace_id !== null
        for (const name of order) {
          const { account = '', account_state_before, account_state_after } = transactions[name] ?? {}
          const before = account_state_before?.balance
          const after = account_state_after?.balance
          // Those of other traces may come in between.
          if (before == null || after == null) isKnown = false
          else add(own, account, BigInt(after) - BigInt(before))
        }
        if (trace_id === null || !isKnown) continue
        const { changes } = await client().v3.balanceChanges({ trace_id })
        const expected = [...own].map(([name, amount]) => [name, String(amount)])
        expect(Object.entries(changes).sort()).toEqual(expected.sort())
        compared++
      }
      expect(compared).toBeGreaterThan(least.compared)
    },
    ROOM_MS,
  )
  return total
}
