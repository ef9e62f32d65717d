// What the rows of a first state may take: its accounts share cells, and each row has its data written out.

import { expect, test } from 'vitest'
import { beginCell, buildDict, type Cell, openCell, storeDict } from '../../../../server/cell/index.ts'
import { bornAccounts } from '../../../../server/indexer/accounts/bornAccounts.ts'
import type { Lacking } from '../../../../server/indexer/accounts/lackingAccounts.ts'
import { CarriedLacks } from '../../../../server/indexer/accounts/lackSearch.ts'
import { Slots } from '../../../../server/indexer/chain/slots.ts'
import { StepReader } from '../../../../server/indexer/chain/stepReader.ts'
import { type BlockIdExt, type Chain, LiteError, MASTERCHAIN, masterBlock } from '../../../../server/node/index.ts'
import {
  loadShardState,
  shardAccountsKind,
  storeAccount,
  storeShardState,
  toCell,
} from '../../../../server/tlb/index.ts'
import { activeAccount } from '../../../setup/activeAccount.ts'
import { openNode } from '../indexScene.ts'

const ACCOUNTS = 80
const MB = 1024 * 1024
const LEAVES = 8192

/** A tree of somewhat more than a megabyte. */
function largeTree(): Cell {
  let cells = Array.from({ length: LEAVES }, (_, i) =>
    beginCell().storeUint(i, 32).storeBytes(new Uint8Array(123)).end(),
  )
  while (cells.length > 1)
    cells = Array.from({ length: cells.length / 2 }, (_, i) => {
      const parent = beginCell()
      for (const cell of cells.slice(2 * i, 2 * i + 2)) parent.storeRef(cell)
      return parent.end()
    })
  const [root] = cells
  if (root === undefined) throw new Error('no cells')
  return root
}

/** `state` with accounts in place of its own that all have the same large data. */
function withLargeAccounts(state: Cell): Cell {
  const data = largeTree()
  const code = beginCell().storeUint(1, 8).end()
  const entries = Array.from({ length: ACCOUNTS }, (_, fill) => {
    const hash = new Uint8Array(32).fill(fill)
    const account = toCell(activeAccount({ hash, code, data }), storeAccount)
    return [hash, { account, lastTransHash: new Uint8Array(32), lastTransLt: 0n }] as const
  })
  const accounts = toCell(buildDict(shardAccountsKind, entries), storeDict)
  return toCell({ ...loadShardState(openCell(state)), accounts }, storeShardState)
}

/** A chain and its first step. */
async function firstStep() {
  const { chain, node } = await openNode()
  await chain.control.mine(1)
  const parts = { lanes: new Slots(2), timeoutMs: 300_000, signal: new AbortController().signal }
  const reader = new StepReader({ chain: node, ...parts })
  const block = await reader.fetch(await masterBlock(node, 1))
  const before = { id: block.id, tops: new Set<string>(), globalVersion: undefined }
  const { master, tip } = await reader.master(block, before)
  return { node, parts, step: { master, tip, shards: [] } }
}

test('behavior: data beyond what fits into memory is left out, and noted to be looked for', async () => {
  const { node, parts, step } = await firstStep()
  const state: Chain['state'] = async (id, options) => {
    const own = await node.state(id, options)
    return id.workchain === 0 ? withLargeAccounts(own) : own
  }
  const lacking: Lacking[] = []
  const progress = { lacksFirstState: false }
  const rest = { carried: new CarriedLacks(), progress, log: { warn: () => undefined } }
  const bornIn = (firstSeqno: number | null) =>
    bornAccounts({ chain: { state, traits: { ...node.traits, firstSeqno } }, ...parts, ...rest }, step, (one) =>
      lacking.push(one),
    )
  const { accounts } = await bornIn(null)
  const ofBase = accounts.filter(({ account }) => account[0] === 128)
  const sizes = accounts.map(({ data }) => data?.length ?? 0)
  expect(ofBase.length).toBe(ACCOUNTS)
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(64 * MB)
  expect(lacking.map(({ row }) => row)).toEqual(ofBase.filter(({ data }) => data === null))
  expect(lacking.length).toBeGreaterThan(10)
  lacking.length = 0
  // The embedded chain has them at hand.
  expect((await bornIn(1)).accounts.length).toBe(accounts.length)
  expect([lacking, progress.lacksFirstState]).toEqual([[], false])
})

test('behavior: a server that rests is waited for; a state that none has is left out, and the other is not', async () => {
  const { node, parts, step } = await firstStep()
  let failure = new LiteError(503, 'starting')
  const state: Chain['state'] = async (id: BlockIdExt, options) => {
    if (id.workchain === MASTERCHAIN) throw failure
    return await node.state(id, options)
  }
  const progress = { lacksFirstState: false }
  const rest = { carried: new CarriedLacks(), progress, log: { warn: () => undefined } }
  const chain = { state, traits: { ...node.traits, firstSeqno: null } }
  const born = () => bornAccounts({ chain, ...parts, ...rest }, step, () => undefined)
  for (let i = 0; i < 20; i++) await expect(born()).rejects.toBe(failure)
  failure = new LiteError(602, "state already gc'd")
  const { accounts } = await born()
  expect(progress.lacksFirstState).toBe(true)
  expect(accounts.length).toBeGreaterThan(0)
  expect(accounts.every(({ account }) => account[0] === 128)).toBe(true)
})
