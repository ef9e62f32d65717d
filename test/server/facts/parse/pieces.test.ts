// A block that is read in pieces: each message of a transaction is one, as it may have thousands of cells.

import { expect, test } from 'vitest'
import { parseBlock, parsingBlock } from '../../../../server/facts/parse/block.ts'
import type { BlockFacts } from '../../../../server/facts/parse/facts.ts'
import { openFixture } from './namedBlocks.ts'

test('each message that a transaction sent is read in a piece of its own', () => {
  const { id, bytes } = openFixture('block-1')
  const context = { mcSeqno: 1 }
  const pieces = parsingBlock(id, bytes, context)
  let count = 0
  for (;;) {
    const { done, value } = pieces.next()
    if (done !== true) {
      count++
      continue
    }
    const sent = value.transactions.reduce((sum, { outMessages }) => sum + outMessages.length, 0)
    expect(sent).toBeGreaterThan(value.transactions.length / 4)
    expect(count).toBeGreaterThanOrEqual(value.transactions.length + sent)
    const namesOf = ({ messages }: BlockFacts) => messages.map(({ hash }) => Buffer.from(hash).toString('hex'))
    expect(namesOf(value)).toEqual(namesOf(parseBlock(id, bytes, context)))
    return
  }
})
