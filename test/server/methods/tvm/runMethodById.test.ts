// Get-methods in the service's own TVM: what it knows of the chain, libraries it has to ask for, and what goes wrong.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginCell, type Cell, writeBoc } from '../../../../server/cell/index.ts'
import { RunSettings } from '../../../../server/contracts/index.ts'
import { PreviousBlocksTuple } from '../../../../server/devchain/collate/previousBlocksTuple.ts'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../../server/devchain/lite/index.ts'
import { asRunError } from '../../../../server/methods/errors/tvmErrors.ts'
import { methodIdOf } from '../../../../server/methods/tvm/methodIdOf.ts'
import { runMethodById } from '../../../../server/methods/tvm/runMethodById.ts'
import type { Chain } from '../../../../server/node/index.ts'
import { createTvmPool, TvmBusy, TvmError, type TvmPool, TvmTimeout } from '../../../../server/tvm/index.ts'

const HASH = new Uint8Array(32).fill(5)
const signal = new AbortController().signal

let chain: Devchain
let view: Chain
let pool: TvmPool
beforeAll(async () => {
  chain = await openDevchain({ idleBlockMs: 3_600_000 })
  pool = await createTvmPool({ workers: 1 })
  view = createEmbeddedChain(chain)
})
afterAll(async () => {
  await pool.close()
  await chain.close()
})

const libraryCell = (code: Cell): Cell => beginCell().storeUint(2, 8).storeBytes(code.hashBytes()).end(true)
/** Nothing but a reference: what is in it is run. */
const runs = (code: Cell): Cell => beginCell().storeRef(code).end()

/** A chain that has these libraries, and notes which are read. */
function knowing(...codes: readonly Cell[]) {
  const requested: string[] = []
  const libraries: Chain['libraries'] = async (hashes) => {
    const wanted = hashes.map((hash) => Buffer.from(hash).toString('hex'))
    requested.push(...wanted)
    return new Map(codes.map((code) => [code.hashHex(), code] as const).filter(([hash]) => wanted.includes(hash)))
  }
  return { source: { libraries }, requested }
}

async function run(code: Cell, source: Pick<Chain, 'libraries'>) {
  await chain.control.setAccount({ workchain: 0, id: HASH, code, data: beginCell().end() })
  const account = { workchain: 0, hash: HASH }
  const block = chain.head().master.id
  const at = { ...(await view.account(block, account)), block }
  const setting = new RunSettings(view).at(block, signal)
  return runMethodById({ chain: source, pool }, at, { methodId: 1, stack: [], setting }, signal)
}

/** PUSHINT 7. */
const SEVEN = beginCell().storeUint(0x77, 8).end()

describe('libraries', () => {
  test('code that is one', async () => {
    const { source, requested } = knowing(SEVEN)
    expect(await run(libraryCell(SEVEN), source)).toMatchObject({ exitCode: 0, stack: [{ value: 1n }, { value: 7n }] })
    expect(requested).toEqual([SEVEN.hashHex()])
  })

  test('those that turn out to be wanted, one inside the other', async () => {
    const outer = runs(libraryCell(SEVEN))
    const { source, requested } = knowing(SEVEN, outer)
    expect(await run(runs(libraryCell(outer)), source)).toMatchObject({
      exitCode: 0,
      stack: [{ value: 1n }, { value: 7n }],
    })
    expect(requested).toEqual([outer.hashHex(), SEVEN.hashHex()])
  })

  test('an unknown one is the failure of the method', async () => {
    const { source, requested } = knowing()
    expect((await run(runs(libraryCell(SEVEN)), source)).exitCode).toBe(9)
    expect(requested).toEqual([SEVEN.hashHex()])
  })
})

describe('what the TVM knows', () => {
  test('the blocks before, as the chain itself shows its contracts', async () => {
    const settings = new RunSettings(view)
    // Within the blocks a state shows, beyond them, and at the blocks that are kept for longer.
    for (const seqno of [12, 17, 100, 101, 121, 216]) {
      await chain.control.mine(seqno - chain.head().master.id.seqno)
      const { master } = chain.reader.moment()
      const { prevBlocks } = await settings.at(master.id, signal)
      expect(
        Buffer.from(prevBlocks ?? '', 'base64').equals(Buffer.from(writeBoc(new PreviousBlocksTuple().entry(master)))),
      ).toBe(true)
    }
  })

  test('the configuration is read once while it stays the same', async () => {
    const wanted: unknown[] = []
    const config: Chain['config'] = (id, params, options) => {
      wanted.push(params)
      return view.config(id, params, options)
    }
    const settings = new RunSettings({ config, previousBlocks: view.previousBlocks })
    const first = await settings.at(chain.reader.moment().master.id, signal)
    await chain.control.mine(1)
    const second = await settings.at(chain.reader.moment().master.id, signal)
    expect(second.config).toBe(first.config)
    expect(wanted).toEqual(['all'])
  })
})

test('what the TVM refuses with', () => {
  const kindOf = (error: unknown) => (asRunError(error) as { kind?: string }).kind
  expect(kindOf(new TvmTimeout(2000))).toBe('timeout')
  expect(kindOf(new TvmBusy(10, 'all'))).toBe('busy')
  expect(asRunError(new TvmBusy(10, 'caller'))).toMatchObject({
    kind: 'rateLimited',
    message: 'over 10 TVM runs of one caller wait',
    data: { limit: 10, retryAfter: 1 },
  })
  // A list of 1030 numbers is not nested a hundred deep.
  expect(asRunError(new TvmError('stackTooDeep', ''))).toMatchObject({
    kind: 'stackTooDeep',
    message: 'Result stack depth >= 1024: each value of the stack, and each item of a list, counts as one',
  })
  expect(kindOf(new TvmError('badInput', ''))).toBe('upstream')
  expect(kindOf(new TvmError('crashed', ''))).toBe('upstream')
})

describe('methodIdOf', () => {
  test.each([
    ['seqno', 85143],
    ['get_jetton_data', 106029],
    [85143, 85143],
    ['85143', 85143],
    ['0x14c97', 85143],
    ['-1', -1],
  ])('%s', (method, id) => {
    expect(methodIdOf(method)).toBe(id)
  })

  test('error: beyond 32 bits', () => {
    expect(() => methodIdOf('4294967296')).toThrow(/32 bits/)
  })
})
