import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf } from '../../../server/http/bytes.ts'

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
