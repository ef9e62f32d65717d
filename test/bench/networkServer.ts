// The far side of the benchmark `networkBlock`: a lite server that has one block of mainnet, in a process of its own.

import { randomBytes } from 'node:crypto'
import { answerLiteQuery, createAdnlListener, LiteError } from '../../server/node/index.ts'
import { createLiteServerOver } from '../../server/node/liteApi/index.ts'
import { openFixture } from '../server/facts/parse/namedBlocks.ts'

export interface Listening {
  readonly port: number
  /** Base64. */
  readonly key: string
}

const { bytes } = openFixture('block-1')
const nothingElse = createLiteServerOver(() => Promise.reject(new LiteError('failed', 'only one block is here')))
const server = { ...nothingElse, block: () => Promise.resolve(bytes) }
const { port, key } = await createAdnlListener({
  host: '127.0.0.1',
  port: 0,
  seed: randomBytes(32),
  onQuery: (query) => answerLiteQuery(server, query),
})
process.on('disconnect', () => process.exit())
process.send?.({ port, key: Buffer.from(key).toString('base64') } satisfies Listening)
