// Laws of emulation about the demo: each message that was alone with its accounts in its block, emulated on the block before,
// leads to the transactions, actions and balance changes that v3 has of it, and the answer names all accounts in it.

import { Address, beginCell, Cell } from '@ton/core'
import { expect, test } from 'vitest'
import type { Action, Message, Trace, Transaction } from '../../client/index.ts'
import { allOf, playedForAllTests } from '../setup/playedDemo.ts'

const ROOM_MS = 600_000
const { client } = playedForAllTests()

/** A message from outside as it was sent, found by its hash; null for one in another form, such as with an initial state. */
function messageOf({ hash, destination, message_content }: Message): string | null {
  const body = Cell.fromBase64(message_content?.body ?? '')
  const head = () =>
    beginCell()
      .storeUint(8, 4)
      .storeAddress(Address.parse(destination ?? ''))
      .storeUint(0, 5)
  for (const isApart of [false, true]) {
    if (!isApart && body.bits.length + head().bits > 1022) continue
    const cell = (
      isApart ? head().storeBit(1).storeRef(body) : head().storeBit(0).storeSlice(body.beginParse())
    ).endCell()
    if (cell.hash().toString('base64') === hash) return cell.toBoc().toString('base64')
  }
  return null
}

/** Without what names a block or follows from its place in the chain. */
const plain = ({ in_msg, out_msgs, account, description, total_fees, end_status }: Transaction) => ({
  account,
  in: in_msg && said(in_msg),
  out: out_msgs.map(said),
  compute: description.compute_ph,
  action: description.action?.result_code,
  total_fees,
  end_status,
})
const said = ({ source, destination, value, opcode, bounced, message_content }: Message) =>
  [source, destination, value, opcode, bounced, message_content?.hash] as const
const claimOf = ({ type, details, success, accounts = [] }: Action) => ({
  type,
  details,
  success,
  accounts: [...accounts].sort(),
})
const inOrder = (actions: readonly Action[]) => actions.map((one) => JSON.stringify(claimOf(one))).sort()

type Tree = NonNullable<Trace['trace']>
const inTree = (tree: Tree, rows: Readonly<Record<string, Transaction>>): Transaction[] => {
  const own = rows[tree.tx_hash]
  return [...(own === undefined ? [] : [own]), ...tree.children.flatMap((child) => inTree(child, rows))]
}

/** Traces in one block of a shard, in which their accounts have no other transactions. */
async function lonely(): Promise<Trace[]> {
  const transactions = await allOf(client().v3.transactions.each({ limit: 500 }))
  const counts = new Map<string, number>()
  const nameOf = (row: Transaction) => `${row.account} ${row.mc_block_seqno}`
  for (const row of transactions) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1)
  const traces = await allOf(client().v3.traces.each({ limit: 200 }))
  return traces.filter(({ trace_id, mc_seqno_start, mc_seqno_end, transactions: own = {} }) => {
    const rows = Object.values(own)
    const isAlone = rows.every(
      (row) => counts.get(nameOf(row)) === rows.filter((one) => nameOf(one) === nameOf(row)).length,
    )
    const isOneBlock = mc_seqno_start === mc_seqno_end && new Set(rows.map((row) => row.block_ref.workchain)).size === 1
    return isOneBlock && own[trace_id ?? '']?.in_msg?.source === null && isAlone
  })
}

const NAMED = { include_address_book: true, include_metadata: true, include_balance_changes: true }
interface Named {
  readonly address_book?: object | undefined
  readonly metadata?: object | undefined
}
const named = ({ address_book = {} }: Named) => new Set(Object.keys(address_book))
const withoutZero = (changes: readonly (readonly [string, unknown])[]) =>
  new Map(changes.filter(([, change]) => String(change) !== '0'))

function accountsIn({ address_book: _, metadata: __, ...rest }: Named) {
  return new Set(JSON.stringify(rest).match(/(?<=")-?\d+:[0-9A-F]{64}(?=")/g))
}

test('an emulated message leads to what v3 has of it', { timeout: ROOM_MS }, async () => {
  let compared = 0
  for (const { trace_id, trace, transactions = {} } of await lonely()) {
    const root = transactions[trace_id ?? '']
    const boc = root?.in_msg ? messageOf(root.in_msg) : null
    if (root === undefined || boc === null || trace == null) continue
    const { actions } = await client().v3.actions({ trace_id: [trace_id ?? ''], include_accounts: true, limit: 100 })
    const changes = await client().v3.balanceChanges({ trace_id: trace_id ?? '' })
    const asked = { boc, mc_block_seqno: Number(root.mc_block_seqno) - 1, unixtime: root.now, ...NAMED }
    const found = await client().emulate.trace({ ...asked, with_actions: true })
    const bare = await client().emulate.trace(asked)
    expect(inTree(found.trace, found.transactions).map(plain)).toEqual(inTree(trace, transactions).map(plain))
    expect(inOrder(found.actions)).toEqual(inOrder(actions))
    const gains = Object.entries(found.balance_changes ?? {}).map(([account, { ton }]) => [account, ton] as const)
    expect(withoutZero(gains)).toEqual(withoutZero(Object.entries(changes.changes)))
    for (const one of [found, bare]) expect([trace_id, named(one)]).toEqual([trace_id, accountsIn(one)])
    compared++
  }
  expect(compared).toBeGreaterThan(40)
})
