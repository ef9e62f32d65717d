// What balance changes add up to over a whole demo: what everybody holds in the end.

import { Cell } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { type Action, createClient, type Trace } from '../../client/index.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { servePlayed } from '../setup/playedDemo.ts'
import { forAllTests } from '../setup/service.ts'
import { balanceSumTests } from './balanceSumTests.ts'
import { fate, rentOf } from './emulationScene.ts'

const ROOM_MS = 600_000
const service = forAllTests(servePlayed)
const client = () => createClient({ url: service().url, timeoutMs: ROOM_MS })

type Changes = NonNullable<Trace['balance_changes']>
type Transactions = NonNullable<Trace['transactions']>

type Emulated = Awaited<ReturnType<ReturnType<typeof client>['emulate']['trace']>>

/** What each account of an emulation was before it. */
function statesBefore({ transactions, code_cells: codes = {}, data_cells: datas = {} }: Emulated) {
  const states: Record<string, object> = {}
  for (const { account, account_state_before: before } of Object.values(transactions).sort((a, b) =>
    BigInt(a.lt) < BigInt(b.lt) ? -1 : 1,
  )) {
    const { account_status: status, balance, code_hash, data_hash } = before
    const code = codes[code_hash ?? '']
    const data = datas[data_hash ?? '']
    states[account] ??= { status, balance, ...(code && { code }), ...(data && { data }) }
  }
  return states
}

describe('over all traces of the demo', () => {
  const total = balanceSumTests(client, { traces: 100, compared: 50, holders: 5, items: 5 })

  test(
    'a message that is emulated before its block leads to the tree, the codes and the balances it led to',
    async () => {
      const traces: Trace[] = []
      for await (const one of client().v3.traces.each({ limit: 100, include_balance_changes: true })) traces.push(one)
      const blocks = new Map<string, { mcSeqno: number; trace: Trace }[]>()
      for (const trace of traces)
        for (const { account, mc_block_seqno: mcSeqno } of Object.values(trace.transactions ?? {})) {
          const known = blocks.get(account) ?? []
          blocks.set(account, known)
          known.push({ mcSeqno, trace })
        }
      /** Whether no other trace, nor a block itself, touches one of its accounts meanwhile. */
      const isAlone = (trace: Trace): boolean => {
        const own = Object.values(trace.transactions ?? {})
        const seqnos = own.map(({ mc_block_seqno: seqno }) => seqno)
        const first = Math.min(...seqnos)
        const last = Math.max(...seqnos)
        return own.every(({ account }) =>
          (blocks.get(account) ?? []).every((one) => one.trace === trace || one.mcSeqno < first || one.mcSeqno > last),
        )
      }
      let compared = 0
      const kinds = new Set<string>()
      for (const trace of traces) {
        const { transactions = {}, balance_changes: happened = {} } = trace
        const root = transactions[trace.trace?.tx_hash ?? '']
        if (trace.trace == null || root?.in_msg == null || root.in_msg.source !== null || !isAlone(trace)) continue
        const { account: address, hash, lt, now: unixtime, mc_block_seqno } = root
        const [raw] = await client().getTransactions({ address, hash, lt, limit: 1 })
        // As it came: written again, it may have another form, and another fee.
        const message = Cell.fromBase64(raw?.data ?? '')
          .beginParse()
          .loadRef()
          .beginParse()
        const boc = message.skip(1).loadRef().toBoc().toString('base64')
        const wished = { boc, unixtime, with_actions: true, include_code_data: true, include_balance_changes: true }
        const start = { ...wished, mc_block_seqno: mc_block_seqno - 1 }
        const said = await client().emulate.trace(start)
        // The same states, given by the request.
        const again = await client().emulate.trace({ ...start, state_overrides: statesBefore(said) })
        // Without rent: it depends on when later blocks were made.
        const held = (changes: Changes, all: Transactions) =>
          Object.entries(changes)
            .map(([name, { ton, jettons }]) => [name, BigInt(ton) + rentOf(name, all), jettons] as const)
            .filter(([, ton, jettons]) => ton !== 0n || Object.keys(jettons).length > 0)
            .sort(([a], [b]) => (a < b ? -1 : 1))
        const items = (changes: Changes) =>
          Object.entries(changes).flatMap(([name, { nfts }]) => nfts.map((one) => `${name} ${JSON.stringify(one)}`))
        const meant = (actions: readonly Action[]) =>
          actions.map(({ type, success, details }) => JSON.stringify({ type, success, details })).sort()
        const { actions } = await client().v3.actions({ trace_id: [trace.trace_id ?? ''], limit: 1000 })
        for (const one of [said, again]) {
          expect(fate(one.trace, one.transactions)).toEqual(fate(trace.trace, transactions))
          expect(held(one.balance_changes ?? {}, one.transactions)).toEqual(held(happened, transactions))
          expect(items(one.balance_changes ?? {}).sort()).toEqual(items(happened).sort())
          expect(meant(one.actions)).toEqual(meant(actions))
        }
        for (const { type } of said.actions) kinds.add(type)
        compared++
      }
      expect(compared).toBeGreaterThan(50)
      expect([...kinds]).toEqual(expect.arrayContaining(['nft_mint', 'jetton_mint', 'nft_purchase', 'change_dns']))
    },
    ROOM_MS,
  )

  test(
    'next to traces and actions they are the same',
    async () => {
      const sumsOf = (
        all: Readonly<Record<string, { ton: string; fees: string; jettons: object; nfts: object[] }>> = {},
      ) => {
        const held = (one: object) => Object.keys(one).length > 0
        const part = <T>(read: (one: { ton: string; fees: string; jettons: object; nfts: object[] }) => T) =>
          Object.entries(all).map(([name, one]) => [name, read(one)] as const)
        return {
          changes: Object.fromEntries(part(({ ton }) => ton)),
          fees: Object.fromEntries(part(({ fees }) => fees)),
          jettons: Object.fromEntries(part(({ jettons }) => jettons).filter(([, one]) => held(one))),
          nfts: Object.fromEntries(part(({ nfts }) => nfts).filter(([, one]) => held(one))),
        }
      }
      // An item's owner may have no transaction in it: then that owner has no TON in the answer.
      const known = (answer: Awaited<ReturnType<ReturnType<typeof client>['v3']['balanceChanges']>>) => {
        const zeros = Object.fromEntries(
          [answer.jettons, answer.nfts].flatMap((section) => Object.keys(section)).map((name) => [name, '0']),
        )
        return { ...answer, changes: { ...zeros, ...answer.changes }, fees: { ...zeros, ...answer.fees } }
      }
      let compared = 0
      const include_balance_changes = true
      for await (const { trace_id, balance_changes } of client().v3.traces.each({
        limit: 100,
        include_balance_changes,
      })) {
        const alone = await client().v3.balanceChanges({ trace_id: trace_id ?? '' })
        expect(sumsOf(balance_changes)).toEqual(known(alone))
        compared++
      }
      expect(compared).toBeGreaterThanOrEqual(total.ids.length)
      const { actions } = await client().v3.actions({ limit: 100, include_balance_changes })
      for (const { action_id, balance_changes, transactions_full } of actions) {
        expect(sumsOf(balance_changes)).toEqual(known(await client().v3.balanceChanges({ action_id })))
        expect(transactions_full).toBeUndefined()
      }
      const [plain] = (await client().v3.traces({ limit: 1 })).traces
      expect(plain).not.toHaveProperty('balance_changes')
    },
    ROOM_MS,
  )

  test(
    'an NFT that is transferred changes hands; an action counts its own transactions',
    async () => {
      const [moved] = (await client().v3.nft.transfers({ limit: 1 })).nft_transfers
      const { nfts } = await client().v3.balanceChanges({ trace_id: moved?.trace_id ?? '' })
      const address = moved?.nft_address ?? ''
      expect(nfts[moved?.new_owner ?? '']).toContainEqual({ address, gained: true })
      const [action] = (await client().v3.actions({ limit: 1, action_type: ['jetton_transfer'] })).actions
      const some = await client().v3.balanceChanges({ action_id: action?.action_id ?? '' })
      expect(Object.keys(some.changes).length).toBeGreaterThan(1)
      expect(Object.keys(some.jettons).length).toBeGreaterThan(0)
    },
    ROOM_MS,
  )
})

test.each([
  ['nothing', {}, 422, 'exactly one of trace_id and action_id should be specified'],
  ['both', { trace_id: 'A'.repeat(64), action_id: 'A'.repeat(64) }, 422, /exactly one/],
  ['an unknown trace', { trace_id: 'A'.repeat(64) }, 404, 'trace not found'],
  ['an unknown action', { action_id: 'A'.repeat(64) }, 404, 'action not found'],
])('refuses %s', async (_, params, status, words) => {
  const refused = await ask(service(), `/api/v3/balanceChanges${queryOf(params)}`)
  expect([refused.status, refused.body.error]).toEqual([status, expect.stringMatching(words)])
})
