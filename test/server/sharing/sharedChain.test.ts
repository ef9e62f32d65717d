// What two processes share in a real Redis: messages and heads, with garbage in it, without it, and with it too slow.

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RedisConnection } from '../../../server/sharing/redisConnection.ts'
import { SharedChain, type SharedChainOptions } from '../../../server/sharing/sharedChain.ts'
import type { SharedMessage } from '../../../server/sharing/sharedMessage.ts'
import { hasRedis, type OwnRedis, ownRedis } from '../../setup/ownRedis.ts'

const PATIENCE = { timeout: 300_000, interval: 20 }
const hashOf = (boc: Uint8Array): Buffer => createHash('sha256').update(boc).digest()
const texts = (messages: readonly SharedMessage[]): string[] =>
  messages.map(({ boc }) => Buffer.from(boc).toString()).sort()

async function redis(...options: readonly string[]): Promise<OwnRedis> {
  const own = await ownRedis(...options)
  onTestFinished(() => own[Symbol.asyncDispose]())
  return own
}

function open({ port }: OwnRedis, genesis: Uint8Array, options: Partial<SharedChainOptions> = {}) {
  const messages: SharedMessage[] = []
  const heads: number[] = []
  const changes: (string | null)[] = []
  const chain = new SharedChain({
    address: `redis://127.0.0.1:${port}`,
    genesis: () => Promise.resolve(genesis),
    lifetimeMs: 60_000,
    onMessage: (message) => messages.push(message) > 0,
    onHead: (seqno) => heads.push(seqno),
    onChange: (trouble) => changes.push(trouble),
    // Long, so that a busy machine does not reach it in a test of something else.
    answerMs: PATIENCE.timeout,
    ...options,
  })
  onTestFinished(() => chain.close())
  const send = (text: string, caller = 'caller'): void =>
    chain.publish(Buffer.from(text), hashOf(Buffer.from(text)), caller)
  return { chain, messages, heads, changes, send }
}

/** Sends commands as any other client of the server. */
function client({ port }: OwnRedis) {
  // A write of 5 MB takes a busy machine more than the second that is usual.
  const options = { address: `redis://127.0.0.1:${port}`, answerMs: PATIENCE.timeout, onChange: () => undefined }
  const connection = new RedisConnection(options)
  onTestFinished(() => connection.close())
  return async (...words: readonly string[]) => {
    await expect.poll(() => connection.send(['PING']).catch(() => null), PATIENCE).toBe('PONG')
    return await connection.send(words)
  }
}

const shares = ({ chain }: ReturnType<typeof open>) => expect.poll(() => chain.trouble, PATIENCE).toBe(null)

describe.runIf(hasRedis)('processes of one chain', () => {
  const genesis = randomBytes(32)

  test('get the messages and heads of each other, of the same chain alone, also those from before their start', async () => {
    const server = await redis()
    const one = open(server, genesis)
    const two = open(server, genesis)
    const other = open(server, randomBytes(32))
    for (const each of [one, two, other]) await shares(each)
    one.send('first')
    two.send('second')
    one.chain.publishHead(7)
    await expect.poll(() => texts(one.messages), PATIENCE).toEqual(['second'])
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['first'])
    await expect.poll(() => two.heads, PATIENCE).toEqual([7])
    // The first one again is no news.
    for (const text of ['first', 'third']) one.send(text)
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['first', 'third'])
    const late = open(server, genesis)
    await expect.poll(() => texts(late.messages), PATIENCE).toEqual(['first', 'second', 'third'])
    expect(two.messages[0]?.caller).toMatch(/^[0-9a-f]{16}$/)
    expect([one.heads, other.heads, other.messages]).toEqual([[], [], []])
    expect([one, two, other, late].flatMap(({ changes }) => changes)).not.toContain('no connection to Redis')
  })

  test('of heads that follow each other at once the last one is shared', async () => {
    const server = await redis()
    const one = open(server, genesis)
    const two = open(server, genesis)
    for (const each of [one, two]) await shares(each)
    one.chain.publishHead(7)
    await expect.poll(() => two.heads.at(-1), PATIENCE).toBe(7)
    for (const seqno of [8, 9]) one.chain.publishHead(seqno)
    await expect.poll(() => two.heads.at(-1), PATIENCE).toBe(9)
  })

  test('leave nothing behind in a Redis for good', async () => {
    const server = await redis()
    const send = client(server)
    const one = open(server, genesis)
    await shares(one)
    one.send('first')
    one.chain.publishHead(7)
    for (const name of ['messages', 'heads']) {
      const left = () => send('PTTL', `tonrpc:chain:${genesis.toString('hex')}:${name}`)
      await expect.poll(left, PATIENCE).toBeGreaterThan(0)
    }
  })

  test('share a message once, and so many of a caller and in all', async () => {
    const server = await redis()
    const bounds = { messages: 4, messagesPerCaller: 2, bytes: 1_000, bytesPerCaller: 400 }
    const one = open(server, genesis, { bounds })
    const two = open(server, genesis)
    for (const each of [one, two]) await shares(each)
    for (const text of ['a1', 'a1', 'a2', 'a3']) one.send(text, 'a')
    one.send('x'.repeat(500), 'b')
    for (const text of ['b1', 'b2']) one.send(text, 'b')
    one.send('c1', 'c')
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['a1', 'a2', 'b1', 'b2'])
    // It is counted when the Redis has answered all, which may be after others have read it.
    await expect.poll(() => one.chain.counts, PATIENCE).toMatchObject({ published: 4, dropped: 3 })
  })

  test('error: what is no message is skipped, and keys that are no streams are replaced', async () => {
    const server = await redis()
    const send = client(server)
    const chain = `tonrpc:chain:${genesis.toString('hex')}`
    for (const key of ['messages', 'heads']) await send('SET', `${chain}:${key}`, 'garbage')
    const one = open(server, genesis)
    const two = open(server, genesis)
    await expect.poll(() => one.chain.trouble, PATIENCE).toMatch(/WRONGTYPE/)
    one.send('first')
    one.chain.publishHead(1)
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['first'])
    await shares(two)
    const good = { hash: hashOf(Buffer.from('x')).toString('base64'), caller: '0'.repeat(16), age: '0', boc: 'eA==' }
    const bad: Readonly<Record<string, string>>[] = [
      { nothing: 'of this' },
      ...[{ boc: '' }, { boc: '<b>' }, { boc: 'A'.repeat(100_000) }, { hash: 'AAAA' }, { hash: '' }].map((wrong) => ({
        ...good,
        ...wrong,
      })),
      ...[{ caller: '../..' }, { age: '-1' }, { age: '1e9' }, { age: '70000' }].map((wrong) => ({ ...good, ...wrong })),
    ]
    for (const fields of bad) await send('XADD', `${chain}:messages`, '*', ...Object.entries(fields).flat())
    for (const seqno of ['-1', 'NaN', '99999999999']) await send('XADD', `${chain}:heads`, '*', 'seqno', seqno)
    one.send('second')
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['first', 'second'])
    expect(two.chain.counts.refused).toBe(bad.length)
    expect(two.heads).toEqual([1])
  })

  test('error: entries that are too long to be read, and ids after which none can follow, end nothing', async () => {
    const server = await redis()
    const send = client(server)
    const one = open(server, genesis)
    const two = open(server, genesis)
    for (const each of [one, two]) await shares(each)
    const key = `tonrpc:chain:${genesis.toString('hex')}:messages`
    await send('XADD', key, '*', 'boc', 'A'.repeat(5 << 20))
    await expect.poll(() => two.changes.filter((change) => /too long/.test(change ?? '')).length, PATIENCE).toBe(1)
    for (const each of [one, two]) await shares(each)
    one.send('first')
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['first'])
    await send('XADD', key, '18446744073709551615-18446744073709551615', 'last', 'of all')
    one.send('second')
    await expect.poll(() => texts(two.messages).at(-1), PATIENCE).toBe('second')
  })

  test.each(['killed', 'held still'])(
    'error: a Redis that is %s: what was sent meanwhile is shared afterwards',
    async (how) => {
      const server = await redis()
      // As it is by default: it is noticed by nothing else.
      const one = open(server, genesis, { answerMs: 3_000 })
      const two = open(server, genesis, { answerMs: 3_000 })
      for (const each of [one, two]) await shares(each)
      if (how === 'killed') await server.stop()
      else server.signal('SIGSTOP')
      one.send('meanwhile')
      for (const each of [one, two]) await expect.poll(() => each.chain.trouble, PATIENCE).not.toBe(null)
      if (how === 'killed') await server.start()
      else server.signal('SIGCONT')
      await expect.poll(() => texts(two.messages).includes('meanwhile'), PATIENCE).toBe(true)
      await shares(one)
      expect(one.changes.filter((change) => change === null).length).toBeGreaterThan(0)
    },
  )

  test('error: a Redis that is full', async () => {
    const server = await redis('--maxmemory', '4mb', '--maxmemory-policy', 'noeviction')
    const send = client(server)
    const one = open(server, genesis)
    const two = open(server, genesis)
    for (const each of [one, two]) await shares(each)
    await send('CONFIG', 'SET', 'maxmemory', '1')
    one.send('meanwhile')
    await expect.poll(() => one.chain.trouble, PATIENCE).toMatch(/OOM/)
    await send('CONFIG', 'SET', 'maxmemory', '0')
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['meanwhile'])
    await shares(one)
  })

  test('share within one database of a Redis', async () => {
    const server = await redis()
    const [one, two, other] = [3, 3, 4].map((database) =>
      open(server, genesis, { address: `redis://127.0.0.1:${server.port}/${database}` }),
    )
    if (one === undefined || two === undefined || other === undefined) throw new Error('three were opened')
    for (const each of [one, two, other]) await shares(each)
    other.send('elsewhere')
    one.send('here')
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['here'])
    expect(texts(other.messages)).toEqual([])
  })

  test('go on with the Redis that took the place of one that became its replica', async () => {
    const before = await redis()
    const after = await redis()
    let { port } = before
    const one = open(before, genesis, { address: () => `redis://127.0.0.1:${port}` })
    await shares(one)
    await client(before)('REPLICAOF', '127.0.0.1', String(after.port))
    one.send('meanwhile')
    await expect.poll(() => one.chain.trouble, PATIENCE).toMatch(/READONLY/)
    port = after.port
    const two = open(after, genesis)
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['meanwhile'])
    two.send('back')
    await expect.poll(() => texts(one.messages), PATIENCE).toEqual(['back'])
    await shares(one)
  })

  test('a message is not shared after its time', async () => {
    const server = await redis()
    const clock = { ms: 1_000_000 }
    const one = open(server, genesis, { lifetimeMs: 1_000, now: () => clock.ms })
    await shares(one)
    await server.stop()
    one.send('old')
    clock.ms += 1_001
    await server.start()
    const two = open(server, genesis)
    for (const each of [one, two]) await shares(each)
    one.send('new')
    await expect.poll(() => texts(two.messages), PATIENCE).toEqual(['new'])
  })
})

test.runIf(hasRedis)(
  'after a change of the password the reason is what the server says, until it takes the old one again',
  async () => {
    const server = await redis()
    const admin = client(server)
    const setPassword = (password: string) => admin('CONFIG', 'SET', 'requirepass', password)
    await setPassword('old')
    const one = open(server, randomBytes(32), { address: `redis://:old@127.0.0.1:${server.port}` })
    await shares(one)
    await setPassword('new')
    await admin('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await expect.poll(() => one.chain.trouble, PATIENCE).toMatch(/^WRONGPASS/)
    await setPassword('old')
    await shares(one)
  },
)

test('error: an address whose password cannot be decoded is a failed connection, not an unhandled rejection', async () => {
  const server = createServer((socket) => socket.on('data', () => socket.write('+OK\r\n'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const failure = await new Promise<Error | null>((resolve) => {
    const connection = new RedisConnection({ address: `redis://:100%@127.0.0.1:${port}`, onChange: resolve })
    onTestFinished(() => connection.close())
  })
  expect(failure?.message).toBe('URI malformed')
})
