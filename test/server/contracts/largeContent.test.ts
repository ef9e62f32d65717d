// Content of tokens on chain, which may have megabytes.

import { expect, test } from 'vitest'
import { contentOf } from '../../../server/contracts/kinds/content.ts'
import { chunked, onchainCells } from '../../setup/madeContents.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

test('others have their turns while it is read', async () => {
  const bytes = (letter: string) => Buffer.alloc(200_000, letter)
  const values = { name: chunked(bytes('a'), 10_000), image_data: chunked(bytes('b'), 10_000) }
  const { found, turns } = await turnsOf(() => contentOf(onchainCells(values)))
  const texts = { name: bytes('a').toString(), image_data: bytes('b').toString('base64') }
  expect(found).toEqual({ kind: 'onchain', values: texts })
  expect(turns).toBeGreaterThan(40)
})
