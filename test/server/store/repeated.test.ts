// What is made of bytes that come again and again is found by a copy of them: what was received is used again for other bytes.

import { expect, test } from 'vitest'
import { Repeated } from '../../../server/store/index.ts'

test('a value is that of its bytes, whatever comes later in the place they came in', () => {
  const received = Buffer.from('..first..')
  let made = 0
  const texts = new Repeated((bytes: Buffer, at, size) => {
    made++
    return bytes.toString('latin1', at, at + size)
  })
  expect(texts.of(received, 2, 5)).toBe('first')
  expect(texts.of(Buffer.from('first'), 0, 5)).toBe('first')
  expect(made).toBe(1)
  received.write('other', 2)
  expect(texts.of(received, 2, 5)).toBe('other')
  expect(texts.of(Buffer.from('first'), 0, 5)).toBe('first')
  received.write('third', 2)
  expect(texts.of(Buffer.from('other'), 0, 5)).toBe('other')
  expect(texts.of(received, 2, 5)).toBe('third')
  expect(made).toBe(3)
})
