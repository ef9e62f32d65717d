// Messages and descriptions no test chain comes to on its own.

import { Address, beginCell as beginCore, external, storeMessage as storeCore } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { type Anycast, beginCell, type Cell, type InternalAddress, stdAddress } from '../../../../server/cell/index.ts'
import { accountKeyText, addressKey } from '../../../../server/facts/index.ts'
import { descriptionText } from '../../../../server/facts/parse/description.ts'
import { messageRow } from '../../../../server/facts/parse/message.ts'
import { parsedOutcome } from '../../../../server/facts/parse/outcome.ts'
import { ParseBudget } from '../../../../server/facts/parse/parseBudget.ts'
import {
  type ExternalInInfo,
  gramsOnly,
  type InternalInfo,
  loadDescription,
  type Message,
  makeMessage,
  type StateInit,
  storeMessage,
  type TransactionDescription,
  toCell,
} from '../../../../server/tlb/index.ts'
import { cellOf } from '../../../setup/madeAccounts.ts'
import { storeDescription } from '../../../setup/writtenTransaction.ts'
import { roundTrip } from '../../tlb/roundTrip.ts'
import { alice, bob, bytes, init, leaf, mixed, sizes } from '../../tlb/samples.ts'
import { hex } from './namedBlocks.ts'

const internal: InternalInfo = {
  kind: 'internal',
  ihrDisabled: true,
  bounce: true,
  bounced: false,
  src: alice,
  dest: bob,
  value: mixed,
  extraFlags: 3n,
  fwdFee: 4n,
  createdLt: 5n,
  createdAt: 6,
}
const incoming: ExternalInInfo = { kind: 'externalIn', src: null, dest: alice, importFee: 0n }

const read = (cell: Cell, globalVersion = 12) => messageRow(cell, null, { budget: new ParseBudget(), globalVersion })
const made = (info: Message['info'], body: Cell, state: StateInit | null = null) =>
  toCell(makeMessage(info, state, body), storeMessage)

describe('messages', () => {
  test('of all kinds have what their kind has', () => {
    const inside = read(made(internal, leaf(0x0f8a7ea5), init))
    expect(inside).toMatchObject({ value: 77n, valueExtra: { 100: '5', 239: String(2n ** 200n) }, fwdFee: 4n })
    expect(inside).toMatchObject({ opcode: 0x0f8a7ea5, importFee: null, hashNorm: null, outTxHash: null })
    expect(hex(inside.initHash)).toMatch(/^[0-9a-f]{64}$/)
    const log = read(made({ kind: 'externalOut', src: alice, dest: null, createdLt: 7n, createdAt: 8 }, leaf(-1 >>> 0)))
    expect(log).toMatchObject({ destination: null, value: null, createdLt: 7n, createdAt: 8, opcode: -1, bounce: null })
    const sent = read(made({ ...incoming, importFee: 9n }, leaf(1)))
    expect(sent).toMatchObject({ source: null, value: null, createdLt: null, importFee: 9n, ihrDisabled: null })
    expect(read(made({ ...incoming, importFee: 2n ** 63n }, leaf(1))).importFee).toBeNull()
  })

  test('have a routing fee in the old protocol and flags in the new one', () => {
    const cell = made(internal, leaf(1))
    expect(read(cell, 11)).toMatchObject({ ihrFee: 3n, extraFlags: null })
    expect(read(cell, 12)).toMatchObject({ ihrFee: 0n, extraFlags: 3n })
  })

  test('with a body of less than 32 bits, or one in a library, have no opcode', () => {
    expect(read(made(internal, beginCell().end())).opcode).toBeNull()
    expect(read(made(internal, beginCell().storeUint(0, 31).end())).opcode).toBeNull()
    const library = beginCell().storeUint(2, 8).storeBytes(bytes(7)).end(true)
    expect(read(made(internal, library))).toMatchObject({ opcode: null, bodyHash: library.hashBytes() })
  })

  test('from outside are named as @ton/core builds the normalised form', () => {
    const to = new Address(0, Buffer.from(alice.hash))
    const body = beginCore().storeUint(5, 32).storeRef(beginCore().storeUint(6, 8).endCell()).endCell()
    const variants = [false, true].flatMap((forceRef) =>
      [0n, 5n].flatMap((importFee) =>
        [null, init].map((state) => {
          const core = { ...external({ to, body }), init: undefined }
          const written = beginCore()
            .store(storeCore({ ...core, info: { ...core.info, importFee } as typeof core.info }, { forceRef }))
            .endCell()
          return state === null ? cellOf(written) : made({ ...incoming, importFee }, cellOf(body), state)
        }),
      ),
    )
    const normal = beginCore()
      .store(storeCore(external({ to, body }), { forceRef: true }))
      .endCell()
      .hash()
      .toString('hex')
    const rows = variants.map((cell) => read(cell))
    for (const row of rows) expect(hex(row.hashNorm ?? row.hash)).toBe(normal)
    expect(rows.filter(({ hashNorm }) => hashNorm === null).length).toBe(1)
    expect(read(made({ ...incoming, dest: bob }, cellOf(body))).hashNorm).not.toBeNull()
  })

  test('share what is written of a body they share', () => {
    const budget = new ParseBudget()
    const rows = [1n, 2n].map((createdLt) =>
      messageRow(made({ ...internal, createdLt }, leaf(9)), null, { budget, globalVersion: 12 }),
    )
    expect(rows[0]?.body).toBe(rows[1]?.body)
  })
})

describe('addresses', () => {
  const anycast = (depth: number, prefix: number): Anycast => ({ depth, prefix })
  const key = (address: InternalAddress) => {
    const found = addressKey(address)
    return found && accountKeyText(found)
  }
  const plain = bytes(0x55)

  test('are 33 bytes in the order of accounts', () => {
    expect(addressKey(stdAddress(-1, plain))?.[0]).toBe(127)
    expect(key(stdAddress(0, plain))).toBe(`0:${'55'.repeat(32)}`)
    expect(key(stdAddress(-128, plain))).toBe(`-128:${'55'.repeat(32)}`)
  })

  test('with anycast are those of the account it means', () => {
    expect(key({ ...stdAddress(0, plain), anycast: anycast(1, 1) })).toBe(`0:d5${'55'.repeat(31)}`)
    expect(key({ ...stdAddress(0, plain), anycast: anycast(12, 0xabc) })).toBe(`0:abc5${'55'.repeat(30)}`)
    expect(key({ ...stdAddress(0, plain), anycast: anycast(30, 2 ** 30 - 1) })).toBe(`0:fffffffd${'55'.repeat(28)}`)
    expect(plain).toEqual(bytes(0x55))
  })

  test('of another length are accounts when they are written the long way, and no one otherwise', () => {
    const long = { kind: 'var', anycast: null, workchain: 0, address: { bytes: plain, bits: 256 } } as const
    expect(key(long)).toBe(`0:${'55'.repeat(32)}`)
    expect(key({ ...long, workchain: 1000 })).toBeNull()
    expect(key({ ...long, address: { bytes: bytes(1, 8), bits: 64 } })).toBeNull()
    expect(addressKey(null)).toBeNull()
    expect(addressKey({ kind: 'external', address: { bytes: bytes(1), bits: 256 } })).toBeNull()
  })
})

describe('descriptions of transactions', () => {
  const storage = { feesCollected: 1n, feesDue: 2n, statusChange: 'frozen' } as const
  const skipped = { kind: 'skipped', reason: 'suspended' } as const
  const split = { shardPrefixLength: 3, splitDepth: 4, account: bytes(0xa), sibling: bytes(0xb) }
  const ends = { aborted: true, destroyed: false }
  const storageText = { storage_fees_collected: '1', storage_fees_due: '2', status_change: 'frozen' }
  const splitText = {
    cur_shard_pfx_len: 3,
    acc_split_depth: 4,
    this_addr: '0A'.repeat(32),
    sibling_addr: '0B'.repeat(32),
  }
  const compute = { skipped: true, reason: 'suspended' }

  const cases: readonly (readonly [TransactionDescription, object])[] = [
    [
      {
        kind: 'ordinary',
        creditFirst: false,
        storage,
        credit: { dueFeesCollected: 3n, credit: mixed },
        compute: skipped,
        action: null,
        bounce: { kind: 'noFunds', messageSize: sizes, requiredFwdFees: 5n },
        ...ends,
      },
      {
        type: 'ord',
        ...ends,
        credit_first: false,
        storage_ph: storageText,
        credit_ph: {
          credit: '77',
          due_fees_collected: '3',
          credit_extra_currencies: { 100: '5', 239: String(2n ** 200n) },
        },
        compute_ph: compute,
        bounce: { type: 'nofunds', msg_size: { cells: '3', bits: '700' }, req_fwd_fees: '5' },
      },
    ],
    [
      {
        kind: 'ordinary',
        creditFirst: true,
        storage: null,
        credit: { dueFeesCollected: null, credit: gramsOnly(1n) },
        compute: skipped,
        action: null,
        bounce: { kind: 'ok', messageSize: sizes, messageFees: 6n, fwdFees: 7n },
        ...ends,
      },
      {
        type: 'ord',
        ...ends,
        credit_first: true,
        credit_ph: { credit: '1' },
        compute_ph: compute,
        bounce: { type: 'ok', msg_size: { cells: '3', bits: '700' }, msg_fees: '6', fwd_fees: '7' },
      },
    ],
    [
      { kind: 'storage', storage },
      { type: 'storage', storage_ph: storageText },
    ],
    [
      { kind: 'splitPrepare', split, storage: null, compute: skipped, action: null, ...ends },
      { type: 'split_prepare', ...ends, split_info: splitText, compute_ph: compute },
    ],
    [
      { kind: 'splitInstall', split, prepareTransaction: leaf(1), installed: true },
      { type: 'split_install', installed: true, split_info: splitText },
    ],
    [
      { kind: 'mergePrepare', split, storage, aborted: true },
      { type: 'merge_prepare', aborted: true, split_info: splitText, storage_ph: storageText },
    ],
    [
      {
        kind: 'mergeInstall',
        split,
        prepareTransaction: leaf(1),
        storage,
        credit: null,
        compute: skipped,
        action: null,
        ...ends,
      },
      { type: 'merge_install', ...ends, split_info: splitText, storage_ph: storageText, compute_ph: compute },
    ],
  ]

  test.each(cases.map(([value, expected]) => ({ kind: value.kind, value, expected })))(
    '$kind',
    ({ value, expected }) => {
      const budget = new ParseBudget()
      const loaded = roundTrip(toCell(value, storeDescription), loadDescription, storeDescription)
      const text = descriptionText(loaded, (amount) => budget.extra(amount))
      expect(text).toBe(JSON.stringify(expected))
      const { type, aborted = false, compute_ph } = JSON.parse(text)
      expect(parsedOutcome(text)).toEqual({
        isTickTock: type === 'tick_tock',
        aborted,
        lackedGas: compute_ph?.reason === 'no_gas',
        exitCode: compute_ph?.exit_code ?? null,
      })
    },
  )
})
