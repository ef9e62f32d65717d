// Contracts may have tens of thousands of cells, and callers pass as many.

import { defaultConfig } from '@ton/sandbox'
import { expect, test } from 'vitest'
import { beginCell, type Cell, emptyDict, readBoc, writeBocText } from '../../../server/cell/index.ts'
import { type RunnableContract, runGetMethod, writeStack } from '../../../server/contracts/index.ts'
import { libraryKind } from '../../../server/tlb/index.ts'
import { createConfig, type TvmRuns } from '../../../server/tvm/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { restingAlways } from '../../setup/othersTurns.ts'

const contract = (data: Cell, library: Cell | null = null): RunnableContract => ({
  workchain: 0,
  hash: new Uint8Array(32),
  code: beginCell().storeUint(1, 8).end(),
  data,
  library,
  balance: 0n,
  extra: {},
  utime: 1,
})

const config = createConfig(defaultConfig)
const signal = new AbortController().signal

/** Runs it with a pool that returns the stack it was given, and counts turns of the event loop before and after the pool's part. */
async function run(data: Cell, argument: Cell, library: Cell | null = null) {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  let before = 0
  let given = { data: '', stack: '', libs: '' }
  const pool: Pick<TvmRuns, 'runGetMethod'> = {
    runGetMethod(_, { data: text, stack, libs }) {
      before = turns
      const asText = (boc: Uint8Array | string) => (typeof boc === 'string' ? boc : Buffer.from(boc).toString('base64'))
      given = { data: asText(text), stack: asText(stack), libs: typeof libs === 'string' ? libs : '' }
      return Promise.resolve({
        success: true,
        exitCode: 0,
        gasUsed: 1n,
        stack: given.stack,
        missingLibrary: null,
        vmLog: '',
      })
    },
  }
  const tools = {
    chain: { libraries: async () => new Map<string, Cell>() },
    pool,
    setting: { config, prevBlocks: null },
  }
  const outcome = await runGetMethod(
    tools,
    contract(data, library),
    { methodId: 1, stack: [{ kind: 'cell', cell: argument }] },
    signal,
  )
  isOver = true
  return { ...given, outcome, before, after: turns - before }
}

test('large data and arguments go to the threads as small ones do, and others have their turns meanwhile', async () => {
  const data = treeOf(40_000, 1)
  const argument = treeOf(40_000, 2)
  const ran = await restingAlways(() => run(data, argument))
  expect(ran.before).toBeGreaterThan(1)
  expect(ran.after).toBeGreaterThan(1)
  expect(ran.data).toBe(writeBocText(data))
  expect(ran.stack).toBe(writeBocText(writeStack([{ kind: 'cell', cell: argument }])))
  const [left] = ran.outcome.stack
  expect(left?.kind === 'cell' && left.cell.equals(argument)).toBe(true)
})

test('a contract with large libraries of its own brings them in the same way', async () => {
  const small = beginCell().end()
  const root = treeOf(40_000, 3)
  const library = emptyDict(libraryKind).set(root.hashBytes(), { isPublic: true, root }).root
  const ran = await restingAlways(() => run(small, small, library))
  expect(ran.before).toBeGreaterThan(1)
  expect(ran.libs).toBe(writeBocText(library ?? small))
})

test('small ones go at once', async () => {
  const data = treeOf(8, 1)
  const argument = treeOf(8, 2)
  const ran = await run(data, argument)
  expect([ran.before, ran.after]).toEqual([0, 0])
  expect(readBoc(Buffer.from(ran.data, 'base64')).equals(data)).toBe(true)
})
