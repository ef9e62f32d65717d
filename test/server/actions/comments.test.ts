// Comments that are no text, or only in part.

import { beginCell, type Cell } from '@ton/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Comment, lenientText, readComment, readForwardedComment } from '../../../server/actions/comment.ts'
import { openCell, readBoc } from '../../../server/cell/index.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The same, one character after the other, as slowly as can be. */
function slowText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    let found: string | null = null
    for (let length = 1; length <= 4 && found === null && at + length <= bytes.length; length++)
      try {
        found = strict.decode(bytes.subarray(at, at + length))
      } catch {
        found = null
      }
    text += found ?? `\\x${Buffer.from(bytes.subarray(at, at + 1)).toString('hex')}`
    at += found === null ? 1 : Buffer.from(found).length
  }
  return text.replaceAll('\0', '')
}

test('what is text stays, and every other byte is shown by its number', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('e0a0', 'ed9fbf', 'eda080', 'f0908080', 'f4908080', 'c080', 'efbbbf', '00')
      .map((hex) => Buffer.from(hex, 'hex')),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const bytes = Buffer.concat(pieces)
      expect(lenientText(bytes)).toBe(slowText(bytes))
    }),
    { numRuns: 500 },
  )
})

test('a long comment of nonsense takes no longer than one of words', () => {
  // Of some, the one that nothing else in this process was counted in.
  const took = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    expect(lenientText(new Uint8Array(100_000).fill(0xff))).toHaveLength(400_000)
    return process.cpuUsage(before).user / 1000
  })
  expect(Math.min(...took)).toBeLessThan(3_000)
})

const TEXT = 0
const ENCRYPTED = 0x2167da4b
const plain = (text: string, ...refs: readonly Cell[]): Cell =>
  refs.reduce((cell, ref) => cell.storeRef(ref), beginCell().storeBuffer(Buffer.from(text))).endCell()
const bodyOf = (opcode: number, content: Cell): Cell =>
  beginCell().storeUint(opcode, 32).storeSlice(content.beginParse()).endCell()
const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 'L')).endCell({ exotic: true })
const proof = beginCell()
  .storeUint(3, 8)
  .storeBuffer(plain('inside').hash())
  .storeUint(0, 16)
  .storeRef(plain('inside'))
  .endCell({ exotic: true })
const odd = beginCell().storeUint(0b1010, 4).endCell()
const none = { text: null, isEncrypted: false }
const text = (value: string) => ({ text: value, isEncrypted: false })
const secret = Buffer.from('secret').toString('base64')

// What pytoniq-core 0.1.40 and the classifier of ton-indexer make of these bodies.
test.each<[string, Cell, Comment, Comment]>([
  [
    'a tail of two cells',
    bodyOf(TEXT, plain('one ', plain('two ', plain('three')))),
    text('one two three'),
    text('one two three'),
  ],
  ['a second reference', bodyOf(TEXT, plain('one', plain('two'), plain('three'))), none, none],
  ['a second reference in the tail', bodyOf(TEXT, plain('one', plain('two', plain('a'), plain('b')))), none, none],
  [
    'whole bytes only together with the tail',
    bodyOf(TEXT, beginCell().storeUint(6, 4).storeRef(odd).endCell()),
    none,
    none,
  ],
  ['part of a byte at the end of the tail', bodyOf(TEXT, plain('one', odd)), none, none],
  [
    'a library in the tail',
    bodyOf(TEXT, plain('one', library)),
    text(`one\x02${'L'.repeat(32)}`),
    text(`one\x02${'L'.repeat(32)}`),
  ],
  [
    'a proof in the tail',
    bodyOf(TEXT, plain('one', proof)),
    text(`one\x03${lenientText(plain('inside').hash())}inside`),
    text(`one\x03${lenientText(plain('inside').hash())}inside`),
  ],
  ['nothing behind the operation', bodyOf(TEXT, plain('')), none, text('')],
  [
    'an encrypted one',
    bodyOf(ENCRYPTED, plain('sec', plain('ret'))),
    { text: secret, isEncrypted: true },
    { text: secret, isEncrypted: true },
  ],
  [
    'an encrypted one with a second reference',
    bodyOf(ENCRYPTED, plain('a', plain('b'), plain('c'))),
    { text: null, isEncrypted: true },
    none,
  ],
])('%s reads as in the reference, in a transfer of TON and of jettons', (_, body, sent, forwarded) => {
  const slice = openCell(readBoc(body.toBoc()))
  expect([readComment(slice), readForwardedComment(slice)]).toEqual([sent, forwarded])
})
