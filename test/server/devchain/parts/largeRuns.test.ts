// Messages and accounts of thousands of cells on their way into the TVM: they are written in pieces, with pauses of the block between.

import { expect, test } from 'vitest'
import { beginCell, buildDict, type Cell, emptyDict, writeBoc, writeBocText } from '../../../../server/cell/index.ts'
import type { Draft } from '../../../../server/devchain/collate/blockDraft.ts'
import type { Run } from '../../../../server/devchain/collate/execution/aheadRuns.ts'
import type { WorkingAccount } from '../../../../server/devchain/collate/execution/index.ts'
import type { External } from '../../../../server/devchain/collate/index.ts'
import { deliveryOf, expectMessage, runMessage } from '../../../../server/devchain/collate/messages/transact.ts'
import { Trial } from '../../../../server/devchain/mempool/trial.ts'
import type { Moment } from '../../../../server/devchain/state/index.ts'
import {
  configKind,
  type InternalInfo,
  librariesKind,
  publishersKind,
  storeShardAccount,
  toCell,
} from '../../../../server/tlb/index.ts'
import type { BlockContext, TvmRuns } from '../../../../server/tvm/index.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { countingPacer } from './countingPacer.ts'

const to = { dest: { kind: 'std', workchain: 0, hash: new Uint8Array(32), anycast: null } } as const
const deliver = (message: Cell) => deliveryOf(message, to as unknown as InternalInfo)
const seenOf = (account: Cell) => ({ account, lastTransHash: new Uint8Array(32), lastTransLt: 1n })

/** A draft with one account, whose TVM refuses all and whose pauses are counted. */
function draftWith(held: Cell) {
  const runs: Run[] = []
  const expected: Run[] = []
  const { pacer, pauses } = countingPacer()
  // The casts: nothing else of them is read.
  const account = {
    id: to.dest.hash,
    seen: seenOf(held),
    boc: null,
    begun: null,
    endLt: 0n,
  } as unknown as WorkingAccount
  const draft = {
    plan: { startLt: 1n },
    accounts: { get: () => account, look: () => account },
    shop: {
      machine: {
        looksAhead: true,
        expect: (run: Run) => void expected.push(run),
        message: async (run: Run) => {
          runs.push(run)
          return { accepted: false, exitCode: null, reason: '', vmLog: '' }
        },
      },
    },
    pacer,
  } as unknown as Draft
  return { draft, runs, expected, pauses }
}

const SMALL = beginCell().storeUint(1, 8).end()
const LARGE = treeOf(8000)
const CONFIG = emptyDict(configKind).set(0, SMALL).root

test.each([
  ['a large message', LARGE, SMALL],
  ['a large account', SMALL, LARGE],
])('%s is written in pieces, and not before its turn', async (_, message, account) => {
  const { draft, runs, expected, pauses } = draftWith(account)
  const delivery = deliver(message)
  expectMessage(draft, delivery, 5n)
  expect(expected).toEqual([])
  await runMessage(draft, delivery, 5n)
  expect(pauses()).toBeGreaterThan(5)
  const written = {
    account: writeBocText(toCell(seenOf(account), storeShardAccount), 0),
    message: writeBocText(message, 0),
  }
  expect(runs).toEqual([{ ...written, lt: 6n }])
})

test('small ones are written at once, also before their turn', async () => {
  const { draft, runs, expected, pauses } = draftWith(SMALL)
  const delivery = deliver(SMALL)
  expectMessage(draft, delivery, 5n)
  await runMessage(draft, delivery, 5n)
  expect(pauses()).toBe(0)
  expect(runs).toEqual(expected)
})

const noBlocks = { of: () => '' }

test('others have their turns while a large account is written for a trial', async () => {
  const account = seenOf(treeOf(60_000))
  const tried: unknown[] = []
  const trial = new Trial(
    {
      emulate: async (_config: unknown, _block: unknown, run: { shardAccount: Uint8Array }) => {
        tried.push(Buffer.from(run.shardAccount).toString('base64'))
        return { accepted: true }
      },
    } as unknown as TvmRuns,
    noBlocks,
  )
  const moment = {
    master: { details: { libraries: { root: null } }, extra: { config: { params: { root: CONFIG } } } },
    shard: { lt: 1n, accounts: { get: () => account } },
  } as unknown as Moment
  const external = { workchain: 0, account: to.dest.hash, boc: new Uint8Array() } as unknown as External
  const { found, turns } = await turnsOf(() => trial.run(moment, external, { now: 1 }))
  expect(found).toBeNull()
  expect(turns).toBeGreaterThan(1)
  expect(tried[0] === writeBocText(toCell(account, storeShardAccount), 0)).toBe(true)
})

test('others have their turns while hundreds of libraries are written for trials, once for all of them', async () => {
  const entries = Array.from({ length: 300 }, (_, i) => {
    const root = treeOf(60, i)
    return [root.hashBytes(), { library: root, publishers: emptyDict(publishersKind).set(to.dest.hash, true) }] as const
  })
  const { root } = buildDict(librariesKind, entries)
  const given: unknown[] = []
  const trial = new Trial(
    {
      emulate: async (_config: unknown, { libs }: BlockContext) => {
        given.push(libs)
        return { accepted: true }
      },
    } as unknown as TvmRuns,
    noBlocks,
  )
  const moment = {
    master: { details: { libraries: { root } }, extra: { config: { params: { root: CONFIG } } } },
    shard: { lt: 1n, accounts: { get: () => seenOf(SMALL) } },
  } as unknown as Moment
  const external = { workchain: 0, account: to.dest.hash, boc: new Uint8Array() } as unknown as External
  const run = () => trial.run(moment, external, { now: 1 })
  const { turns } = await turnsOf(() => Promise.all([run(), run()]))
  expect(turns).toBeGreaterThan(1)
  await run()
  const [first] = given
  expect(given.every((libs) => libs === first)).toBe(true)
  expect(Buffer.from((first as { shared: Uint8Array }).shared).equals(writeBoc(root ?? SMALL, 0))).toBe(true)
})
