// Tokens whose hosts are silent, slow or hostile: those of other hosts are not kept waiting for them.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { FetchRules } from '../../../server/metadata/fetchPublic.ts'
import { startMetadata } from '../../../server/metadata/index.ts'
import { type SqlRow, sql } from '../../../server/store/index.ts'
import { openStore } from '../indexer/indexScene.ts'
import { CERTIFICATE, listen } from './tlsHost.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** No host is ended by its time: what is there in the end came while it still held its connections. */
const FOREVER_MS = 3_600_000
const json = { 'content-type': 'application/json' }

/** Any name that ends in `.test` is this machine; all are reached with the certificate of two of them. */
async function scene(answer: Answer, more: FetchRules = {}, isOurs = () => true) {
  const database = await openStore()
  const port = await listen(answer)
  const rules: FetchRules = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: () => true,
    ports: [port],
    ca: CERTIFICATE,
    timeoutMs: FOREVER_MS,
    ...more,
  }
  const lines: object[] = []
  const start = (): void => {
    const log = { warn: (facts: object) => void lines.push(facts) }
    const ipfsGateway = `https://token.test:${port}`
    const metadata = startMetadata({ database, log, ipfsGateway, pollMs: 5, rules, isOurs })
    onTestFinished(() => metadata.close())
  }
  /** Tokens of one name, with numbers from `first` on, which is the order in which they are due. */
  const queue = (first: number, count: number, link: string) =>
    database.transaction((to) =>
      to.query(sql`insert into metadata_queue (account, uri)
        select decode(lpad(to_hex(i), 66, '0'), 'hex'), ${link} || i
        from generate_series(${first}::int, ${first + count - 1}::int) i`),
    )
  const kept = async (): Promise<readonly string[]> => {
    const rows = await database.read.query<SqlRow & { json: string }>(
      sql`select json from token_metadata where json is not null order by account`,
    )
    return rows.map((row) => row.json)
  }
  return { database, port, rules, lines, start, queue, kept }
}

const numbered = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `{"at":"/${first + i}"}`)

/** Answers as `other` on one of the two names, as a good host on the other one. */
const besides =
  (other: Answer): Answer =>
  (request, response) => {
    if (request.headers.host?.startsWith('other.') === true) other(request, response)
    else response.writeHead(200, json).end(`{"at":"${request.url}"}`)
  }

test.each<[string, Answer]>([
  ['never answers', () => undefined],
  [
    'sends one byte a second',
    (_, response) => {
      response.writeHead(200, json).write('{')
      const more = setInterval(() => response.write(' '), 1_000)
      response.once('close', () => clearInterval(more))
    },
  ],
  ['answers without an end of its head', ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nx: ')],
])('200 tokens of a host that %s keep no others waiting', async (_, other) => {
  let held = 0
  const { port, start, queue, kept } = await scene(
    besides((request, response) => {
      held++
      request.socket.once('close', () => held--)
      other(request, response)
    }),
  )
  await queue(1, 200, `https://other.test:${port}/`)
  await queue(201, 20, `https://token.test:${port}/`)
  start()
  await expect.poll(kept).toEqual(numbered(201, 20))
  expect(held).toBeGreaterThan(0)
  // New ones neither.
  await queue(221, 3, `https://token.test:${port}/`)
  await expect.poll(kept).toEqual(numbered(201, 23))
  expect(held).toBeLessThanOrEqual(4)
})

test('tokens behind ten thousand of a silent host are reached', async () => {
  const { port, start, queue, kept } = await scene(besides(() => undefined))
  await queue(1, 10_000, `https://other.test:${port}/`)
  await queue(10_001, 5, `https://token.test:${port}/`)
  start()
  await expect.poll(kept).toEqual(numbered(10_001, 5))
})

test('names that lead to a silent host hold up no other one', async () => {
  const { port, start, queue, kept } = await scene((request, response) => {
    const { headers, url } = request
    if (headers.host?.startsWith('other.')) response.writeHead(302, { location: `https://127.0.0.1:${port}/` }).end()
    else if (headers.host?.startsWith('token.')) response.writeHead(200, json).end(`{"at":"${url}"}`)
  })
  await queue(1, 200, `https://other.test:${port}/`)
  await queue(201, 20, `https://token.test:${port}/`)
  start()
  await expect.poll(kept).toEqual(numbered(201, 20))
})

test('links whose host is not in their beginning keep no description that is on the chain waiting', async () => {
  const { database, port, start, queue, kept } = await scene(() => undefined)
  await queue(1, 50, `${' '.repeat(600)}https://other.test:${port}/`)
  await queue(51, 50, `https:${'/'.repeat(600)}other.test:${port}/`)
  await queue(101, 50, `ipfs://x/../../${'x'.repeat(600)}/../ipfs/`)
  const last = Buffer.alloc(33, 1)
  const uri = 'data:,{"at":"/"}'
  await database.transaction((to) => to.query(sql`insert into metadata_queue (account, uri) values (${last}, ${uri})`))
  start()
  await expect.poll(kept).toEqual(['{"at":"/"}'])
})

test('several hosts are fetched from at once, and one that comes later too', async () => {
  const held = new Map<string, number>()
  const { port, start, queue } = await scene(({ headers: { host = '' } }) => {
    held.set(host.split(':')[0] ?? '', (held.get(host.split(':')[0] ?? '') ?? 0) + 1)
  })
  await queue(1, 50, `https://token.test:${port}/`)
  await queue(51, 50, `https://other.test:${port}/`)
  start()
  await expect.poll(() => Object.fromEntries(held)).toEqual({ 'token.test': 4, 'other.test': 4 })
  await queue(101, 50, `https://127.0.0.1:${port}/`)
  await expect.poll(() => Object.fromEntries(held)).toEqual({ 'token.test': 4, 'other.test': 4, '127.0.0.1': 1 })
})

test('behavior: what waits when another process takes over is left to that one', async () => {
  let isLeading = true
  const held: ServerResponse[] = []
  const { port, start, queue, kept } = await scene(
    (_, response) => void held.push(response),
    {},
    () => isLeading,
  )
  await queue(1, 20, `https://token.test:${port}/`)
  start()
  await expect.poll(() => held.length).toBe(4)
  isLeading = false
  for (const response of held) response.writeHead(200, json).end('{}')
  await expect.poll(kept).toHaveLength(4)
  // What would be fetched now comes in a few turns.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(held).toHaveLength(4)
})

test('behavior: tokens that wait when their host turns out to be silent are due as before, once it has rested', async () => {
  const { database, port, start, queue } = await scene(() => undefined, { timeoutMs: 1_000 })
  await queue(1, 60, `https://token.test:${port}/`)
  start()
  const tried = async () => {
    const rows = await database.read.query(sql`select account from metadata_queue where attempts > 0`)
    return rows.length
  }
  await expect.poll(tried).toBeGreaterThanOrEqual(4)
  // What would fail at once has failed after a few turns.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await tried()).toBeLessThan(60)
})
