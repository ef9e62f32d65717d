// What bodies of messages and payloads say, as v3 shows it.

import { beginCell, comment } from '@ton/core'
import { expect, test } from 'vitest'
import { addDecoded, decodedBodyOf, decodePayload } from '../../../../server/methods/view/v3/decoded.ts'
import { type MessageRow, TextBytes } from '../../../../server/store/index.ts'
import { filledRows } from '../../../setup/filler.ts'

const [rows] = filledRows({ transactions: 50 })
const [some] = rows?.messages ?? []

const message = (cell: ReturnType<typeof comment>, opcode: number | null): MessageRow => {
  if (!some) throw new Error('no message')
  return { ...some, opcode, body: cell.toBoc(), bodyHash: cell.hash() }
}

test('a comment is reported in the words clients look for, and cached', () => {
  const body = { '@type': 'text_comment', type: 'text_comment', comment: 'for lunch' }
  const first = decodedBodyOf(message(comment('for lunch'), 0))
  expect(first).toEqual({ opcode: 'text_comment', body })
  expect(decodedBodyOf(message(comment('for lunch'), 0)).body).toBe(first.body)
  expect(decodedBodyOf(message(comment('for dinner'), 0)).body).toMatchObject({ comment: 'for dinner' })
})

test.each(['a short comment', 'a long comment '.repeat(400)])(
  'a body that came before is not read again: %#',
  (text) => {
    const { bodyHash, body } = message(comment(text), 0)
    const to = new TextBytes()
    let reads = 0
    const added = () => {
      to.begin()
      addDecoded(bodyHash, 0, () => (reads++ === 0 ? body : new Uint8Array()), to)
      return to.take()
    }
    expect([added(), added()]).toEqual(Array(2).fill(JSON.stringify(decodePayload(body))))
    expect(reads).toBe(1)
  },
)

test('an opcode has a name although it is stored with a sign', () => {
  const excess = beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).endCell()
  expect(decodedBodyOf(message(excess, 0xd53276db | 0))).toEqual({
    opcode: 'excess',
    body: { '@type': 'excess', query_id: '7' },
  })
})

test('what came back in the new form has a name; an answer of the elector begins in the same way and has none', () => {
  const ref = beginCell().endCell()
  const said = message(beginCell().storeUint(0xfffffffe, 32).storeRef(ref).storeRef(ref).endCell(), -2)
  expect(decodedBodyOf({ ...said, bounced: true }).opcode).toBe('new_bounce_body')
  expect(decodedBodyOf({ ...said, bounced: false }).opcode).toBeNull()
})

test('what is unknown, or is no bag of cells at all, says nothing', () => {
  const unknown = beginCell().storeUint(0x77777777, 32).endCell()
  expect(decodedBodyOf(message(unknown, 0x77777777))).toEqual({ opcode: null, body: null })
  expect(decodePayload(new Uint8Array([1, 2, 3]))).toBe(null)
  expect(decodePayload(null)).toBe(null)
  expect(decodePayload(beginCell().endCell().toBoc())).toEqual({ '@type': 'empty_cell' })
})

test('a body as deep as cells may be is read, with what v3.decode says of it', () => {
  let deep = beginCell().endCell()
  for (let depth = 0; depth < 700; depth++) deep = beginCell().storeRef(deep).endCell()
  const known = beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).storeRef(deep).endCell()
  const body = { '@type': 'excess', query_id: '7' }
  expect(decodedBodyOf(message(known, 0xd53276db | 0)).body).toEqual(body)
  expect(decodePayload(known.toBoc())).toEqual(body)
})
