// Messages, payloads and overrides of tens of thousands of cells that a request of emulation brings, and bodies to decode: others have
// their turns while they are read, and while they are written for the TVM.

import { expect, test } from 'vitest'
import { beginCell, loadDict, openCell, stdAddress, writeBoc, writingBoc } from '../../../server/cell/index.ts'
import { inPieces } from '../../../server/fairness/index.ts'
import type { Call } from '../../../server/methods/call.ts'
import { givenMessages } from '../../../server/methods/emulation/givenMessages.ts'
import { configOf, overridesOf } from '../../../server/methods/emulation/overrides.ts'
import { transfersOf } from '../../../server/methods/emulation/walletMessage.ts'
import { decodeHandlers } from '../../../server/methods/v3/decode.ts'
import { extraCurrencyKind, makeMessage, storeMessage, toCell } from '../../../server/tlb/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const LARGE = treeOf(60_000)
const BOC = writeBoc(LARGE)
const caller = { subject: 'someone' }

test('behavior: a message is read and written in pieces, and stays what it is', async () => {
  const info = { kind: 'externalIn', src: null, dest: stdAddress(0, new Uint8Array(32)), importFee: 0n } as const
  const message = toCell(makeMessage(info, null, LARGE), storeMessage)
  const written = await turnsOf(() => inPieces(writingBoc(message), caller))
  expect(written.turns).toBeGreaterThan(1)
  expect(Buffer.compare(written.found, writeBoc(message))).toBe(0)
  const read = await turnsOf(() => givenMessages({ boc: written.found }, caller))
  expect(read.turns).toBeGreaterThan(1)
  expect(read.found.map(({ hash }) => hash)).toEqual([message.hashBytes()])
})

test('behavior: so are payloads of transfers and what a request changes', async () => {
  const transfer = { address: `0:${'00'.repeat(32)}`, amount: '1', payload: Buffer.from(BOC).toString('base64') }
  const transfers = await turnsOf(() => transfersOf({ messages: [transfer] }, 0, caller))
  expect(transfers.turns).toBeGreaterThan(1)
  expect(transfers.found).toHaveLength(1)
  const overridden = await turnsOf(() =>
    overridesOf({ state_overrides: { [transfer.address]: { data: BOC } } }, caller),
  )
  expect(overridden.turns).toBeGreaterThan(1)
  const config = await turnsOf(() => configOf({ config_overrides: { 7: BOC } }, { params: new Map() }, caller))
  expect(config.turns).toBeGreaterThan(1)
})

test('behavior: so are bodies to decode', async () => {
  const call = { caller: { ...caller, keyId: null, tier: null } } as Call
  const bodies = [Buffer.from(BOC).toString('base64'), 'te6c', '00ff', 'abc', 'te6cAA==']
  const decoded = await turnsOf(async () => await decodeHandlers['v3.decode']({ opcodes: [], bodies }, call))
  expect(decoded.turns).toBeGreaterThan(bodies.length)
  expect(decoded.found.bodies.map(({ error }) => error)).toEqual([
    'unknown: no parser succeeded',
    'unknown: boc is too small, size 3',
    'unknown: boc is too small, size 2',
    'unknown: failed to decode hex: not hex',
    'unknown: boc is too small, size 4',
  ])
})

test('error: a message whose few cells claim an amount of each of a million currencies is refused', async () => {
  let node = beginCell().storeUint(0b110_1100, 7).storeVarUint(5n, 32).end()
  for (let level = 0; level < 20; level++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
  const other = loadDict(openCell(beginCell().storeBit(1).storeRef(node).end()), extraCurrencyKind)
  const dest = stdAddress(0, new Uint8Array(32))
  const flags = { ihrDisabled: true, bounce: true, bounced: false }
  const fees = { extraFlags: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 }
  const info = { kind: 'internal', ...flags, src: dest, dest, value: { grams: 5n, other }, ...fees } as const
  const boc = writeBoc(toCell(makeMessage(info, null, beginCell().end()), storeMessage))
  expect(boc.length).toBeLessThan(1024)
  await expect(givenMessages({ boc }, caller)).rejects.toThrow(/^the message has more than \d+ extra currencies$/)
})

test('error: a bag that is none is refused in the words of its place', async () => {
  const none = new Uint8Array(5000)
  await expect(givenMessages({ boc: none }, caller)).rejects.toThrow(/^invalid boc: /)
  await expect(configOf({ config_overrides: { 7: none } }, { params: new Map() }, caller)).rejects.toThrow(
    /^invalid config parameter 7: /,
  )
})
