import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, wholeOf } from '../../../../server/http/replies/bytes.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

test('in pieces as at once, also where a piece would end within a character', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.integer({ min: 2, max: 9 }),
      async (text, most) => {
        const bytes = await bytesOf([text, 'x', text], { most })
        expect(Buffer.concat(bytes)).toEqual(Buffer.from(`${text}x${text}`))
      },
    ),
  )
})

test('bytes of a long reply as one, with turns for others between', async () => {
  const pieces = Array.from({ length: 400 }, (_, i) => Buffer.alloc(128 << 10, i))
  const { found: whole, turns } = await turnsOf(() => wholeOf(pieces, { subject: 'someone' }))
  expect(turns).toBeGreaterThan(1)
  expect(Buffer.compare(whole, Buffer.concat(pieces))).toBe(0)
})
