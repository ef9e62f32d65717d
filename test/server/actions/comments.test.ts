// Comments that are no text, or only in part.

import { beginCell, type Cell } from '@ton/core'
import { expect, test } from 'vitest'
import { type Comment, readComment, readForwardedComment } from '../../../server/actions/comment.ts'
import { openCell, readBoc } from '../../../server/cell/index.ts'
import { lenientText } from '../../../server/tlb/index.ts'

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
