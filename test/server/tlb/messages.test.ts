import { describe, expect, test } from 'vitest'
import { beginCell, buildDict, openCell, type Slice } from '../../../server/cell/index.ts'
import {
  fromCell,
  type InMsg,
  importFeesOf,
  inMsgKind,
  loadBlockInfo,
  loadDescription,
  loadEnvelope,
  loadInMsg,
  loadMessage,
  loadOutMsg,
  loadRelaxedMessage,
  type MessageInfo,
  makeMessage,
  type OutMsg,
  outMsgKind,
  storeEnvelope,
  storeInMsg,
  storeMessage,
  storeOutMsg,
  TlbError,
  toCell,
} from '../../../server/tlb/index.ts'
import { thereAndBack } from './roundTrip.ts'
import { alice, bob, bytes, init, leaf, mixed } from './samples.ts'

const internal: MessageInfo = {
  kind: 'internal',
  ihrDisabled: true,
  bounce: true,
  bounced: false,
  src: alice,
  dest: bob,
  value: mixed,
  extraFlags: 3n,
  fwdFee: 400_000n,
  createdLt: 2n ** 63n,
  createdAt: 1_700_000_000,
}
const infos: MessageInfo[] = [
  internal,
  { kind: 'externalIn', src: null, dest: alice, importFee: 0n },
  {
    kind: 'externalOut',
    src: alice,
    dest: { kind: 'external', address: { bytes: bytes(9, 2), bits: 16 } },
    createdLt: 5n,
    createdAt: 6,
  },
]

describe('messages', () => {
  test.each(infos.map((info) => [info.kind, info] as const))(
    'default: %s, init and body in place or in cells',
    (_, info) => {
      for (const initInRef of [true, false])
        for (const bodyInRef of [true, false])
          for (const withInit of [init, null]) {
            const message = {
              info,
              init: withInit,
              initInRef: withInit !== null && initInRef,
              body: leaf(7),
              bodyInRef,
            }
            if (info.kind !== 'internal' || initInRef || bodyInRef) thereAndBack(message, loadMessage, storeMessage)
          }
    },
  )

  test('behavior: a message is laid out so that it fits', () => {
    const large = beginCell().storeRepeat(1, 900).end()
    expect(makeMessage(internal, null, leaf(1))).toMatchObject({ initInRef: false, bodyInRef: false })
    expect(makeMessage(internal, init, large)).toMatchObject({ initInRef: true, bodyInRef: true })
    for (const info of infos)
      for (const body of [leaf(1), large]) {
        const message = makeMessage(info, init, body)
        expect(fromCell(toCell(message, storeMessage), loadMessage).body.hash()).toBe(body.hash())
      }
  })

  test('args: relaxed messages may have no source yet', () => {
    const message = { info: { ...internal, src: null }, init: null, initInRef: false, body: leaf(1), bodyInRef: true }
    thereAndBack(message, loadRelaxedMessage, storeMessage)
    expect(() => fromCell(toCell(message, storeMessage), loadMessage)).toThrow(
      expect.objectContaining({ code: 'value' }),
    )
    const external = toCell({ ...message, info: infos[1] ?? internal }, storeMessage)
    expect(() => fromCell(external, loadRelaxedMessage)).toThrow(TlbError)
  })
})

const message = toCell({ info: internal, init: null, initInRef: false, body: leaf(7), bodyInRef: true }, storeMessage)
const envelope = {
  version: 1,
  current: { kind: 'regular', destBits: 96 },
  next: { kind: 'regular', destBits: 0 },
  fwdFeeRemaining: 9n,
  message,
  emittedLt: null,
  metadata: null,
} as const
const enveloped = toCell(envelope, storeEnvelope)
const tx = leaf(99)

describe('message descriptors', () => {
  test('default: both versions of envelopes, all kinds of addresses', () => {
    thereAndBack(envelope, loadEnvelope, storeEnvelope)
    const metadata = { depth: 4, initiator: alice, initiatorLt: 8n }
    const simple = { kind: 'simple', workchain: -1, prefix: 5n } as const
    const extended = { kind: 'extended', workchain: 70_000, prefix: 2n ** 64n - 1n } as const
    thereAndBack({ ...envelope, version: 2 as const, current: simple, next: extended }, loadEnvelope, storeEnvelope)
    thereAndBack({ ...envelope, version: 2 as const, emittedLt: 7n, metadata }, loadEnvelope, storeEnvelope)
  })

  const ins: [InMsg, bigint, bigint][] = [
    [{ kind: 'external', message, transaction: tx }, 0n, 0n],
    [{ kind: 'instant', message, transaction: tx, ihrFee: 4n, proofCreated: leaf(5) }, 4n, 81n],
    [{ kind: 'immediate', envelope: enveloped, transaction: tx, fwdFee: 9n }, 9n, 0n],
    [{ kind: 'final', envelope: enveloped, transaction: tx, fwdFee: 9n }, 9n, 86n],
    [{ kind: 'transit', envelope: enveloped, outEnvelope: enveloped, transitFee: 2n }, 2n, 86n],
    [{ kind: 'discardFinal', envelope: enveloped, transactionId: 8n, fwdFee: 9n }, 9n, 9n],
    [{ kind: 'discardTransit', envelope: enveloped, transactionId: 8n, fwdFee: 9n, proofDelivered: leaf(5) }, 9n, 9n],
    [{ kind: 'deferredFinal', envelope: enveloped, transaction: tx, fwdFee: 9n }, 9n, 86n],
    [{ kind: 'deferredTransit', envelope: enveloped, outEnvelope: enveloped }, 0n, 86n],
  ]
  test.each(ins.map((row) => [row[0].kind, ...row] as const))('default: in, %s', (_, value, fees, imported) => {
    thereAndBack(value, loadInMsg, storeInMsg)
    expect(importFeesOf(value).feesCollected).toBe(fees)
    expect(importFeesOf(value).valueImported.grams).toBe(imported)
  })

  const outs: [OutMsg, bigint][] = [
    [{ kind: 'external', message, transaction: tx }, 0n],
    [{ kind: 'immediate', envelope: enveloped, transaction: tx, reimport: leaf(1) }, 0n],
    [{ kind: 'new', envelope: enveloped, transaction: tx }, 86n],
    [{ kind: 'transit', envelope: enveloped, imported: leaf(1) }, 86n],
    [{ kind: 'dequeued', envelope: enveloped, importBlockLt: 2n ** 63n - 1n }, 0n],
    [{ kind: 'dequeuedShort', envelopeHash: bytes(3), nextWorkchain: -1, nextPrefix: 4n, importBlockLt: 5n }, 0n],
    [{ kind: 'transitRequeued', envelope: enveloped, imported: leaf(1) }, 86n],
    [{ kind: 'dequeuedImmediate', envelope: enveloped, reimport: leaf(1) }, 0n],
    [{ kind: 'newDeferred', envelope: enveloped, transaction: tx }, 86n],
    [{ kind: 'deferredTransit', envelope: enveloped, imported: leaf(1) }, 86n],
  ]
  test.each(outs.map((row) => [row[0].kind, ...row] as const))('default: out, %s', (_, value, exported) => {
    thereAndBack(value, loadOutMsg, storeOutMsg)
    expect(buildDict(outMsgKind, [[bytes(1), value]]).extra?.grams).toBe(exported)
  })

  test('behavior: extra currencies are part of the sums', () => {
    const value: InMsg = { kind: 'final', envelope: enveloped, transaction: tx, fwdFee: 9n }
    const sums = buildDict(inMsgKind, [
      [bytes(1), value],
      [bytes(2), value],
    ]).extra
    expect([...(sums?.valueImported.other ?? [])]).toEqual([
      [100, 10n],
      [239, 2n ** 201n],
    ])
  })

  test('error: tags that do not exist', () => {
    expect(() => openAt(0b00110, 5, loadInMsg)).toThrow(TlbError)
    expect(() => openAt(0b10111, 5, loadOutMsg)).toThrow(TlbError)
    expect(() => openAt(0b0110, 4, loadEnvelope)).toThrow(TlbError)
    expect(() => openAt(0b1000, 4, loadDescription)).toThrow(TlbError)
    expect(() => openAt(0, 32, loadBlockInfo)).toThrow(expect.objectContaining({ name: 'TlbError', code: 'tag' }))
  })
})

function openAt(value: number, bits: number, load: (slice: Slice) => unknown): unknown {
  return load(openCell(beginCell().storeUint(value, bits).storeRepeat(0, 200).end()))
}
