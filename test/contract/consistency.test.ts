// How far an answer is: headers on every reply, cached or not, and reads that demand a block.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../client/index.ts'
import { openEmbeddedChain } from '../../server/app/chain/chainService.ts'
import { noIndex } from '../../server/app/database/indexService.ts'
import { Settings } from '../../server/app/settings/settings.ts'
import { IndexHeads } from '../../server/indexer/indexHead.ts'
import { createLog } from '../../server/observe/index.ts'
import { registry } from '../../shared/registry.ts'
import { ask, call, post, rpc, STRICT } from '../setup/calls.ts'
import { forAllTests, serve, serveMethods, type TestService } from '../setup/service.ts'
import { openSocket } from '../setup/streams.ts'

const seqnosOf = ({ headers }: { readonly headers: Headers }) => [headers.get('x-index-seqno'), headers.get('x-seqno')]
const min = (seqno: number | string) => ({ headers: { 'X-Min-Seqno': String(seqno) } })

describe('of a running service', () => {
  const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
  const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

  /** Asks again while the index takes longer than a call waits. */
  async function readAt(seqno: number, path = '/api/v3/masterchainInfo') {
    for (;;) {
      const answer = await ask(service(), path, min(seqno))
      if (answer.status !== 503) return answer
      expect(answer.body.error).toMatch(/^index is behind: at \d+$|^nothing is indexed yet$/)
    }
  }

  test('a read right after a block has it, fifty times of fifty', async () => {
    for (let i = 0; i < 50; i++) {
      const { seqno } = await client().dev.mine({ blocks: 1 })
      const { status, body, headers } = await readAt(seqno)
      expect([status, (body.last as { seqno: number }).seqno]).toEqual([200, seqno])
      expect(headers.get('x-index-seqno')).toBe(String(seqno))
    }
  })

  test('calls of a socket and of a batch name their block themselves', async () => {
    const { seqno } = await client().dev.mine({ blocks: 1 })
    const named = (min_seqno: unknown) => ({ ...call('v3.masterchainInfo'), min_seqno })
    const { socket, frames } = await openSocket(service(), STRICT)
    const say = async (frame: unknown) => {
      const { length } = frames.all
      socket.send(JSON.stringify(frame))
      return (await frames.count(length + 1))[length]
    }
    const isBehind = (reply: unknown) => JSON.stringify(reply).includes('index is behind')
    let reply = await say(named(seqno))
    while (isBehind(reply)) reply = await say(named(seqno))
    expect(reply).toMatchObject({ result: { last: { seqno } }, index_seqno: seqno })
    const { body } = await post(service(), STRICT, [named(seqno), named(seqno + 1000), named('x'), named(-1)])
    expect(body).toMatchObject([
      { index_seqno: seqno },
      { error: { message: `index is behind: at ${seqno}` } },
      ...Array.from({ length: 2 }, () => ({ error: { message: expect.stringMatching(/min_seqno must be a whole/) } })),
    ])
    // One that names none has nothing more than the specification.
    expect(Object.keys((await say(call('v3.masterchainInfo'))) ?? {})).toEqual(['jsonrpc', 'ok', 'result', 'id'])
  })

  test('cached answers have the figure of the block they were read at, or a later one', async () => {
    const path = '/api/v3/blocks?workchain=-1&limit=1'
    const newest = async () => {
      const answer = await ask(service(), path)
      const [{ seqno } = { seqno: 0 }] = answer.body.blocks as { seqno: number }[]
      return [Number(answer.headers.get('x-index-seqno')), seqno] as const
    }
    for (let i = 0; i < 20; i++) {
      const { seqno } = await client().dev.mine({ blocks: 1 })
      const answers = await Promise.all(Array.from({ length: 20 }, newest))
      for (const [shown, read] of answers) expect(read).toBeGreaterThanOrEqual(shown)
      await vi.waitFor(async () => expect(await newest()).toEqual([seqno, seqno]), 300_000)
    }
  })

  test('v2 has the seqno of the chain, errors and both dialects too', async () => {
    const { seqno } = await client().dev.mine({ blocks: 1 })
    await readAt(seqno)
    const head = String(seqno)
    expect(seqnosOf(await ask(service(), '/api/v2/getMasterchainInfo'))).toEqual([null, head])
    expect(seqnosOf(await ask(service(), '/api/v2/getAddressInformation?address=x'))).toEqual([null, head])
    expect(seqnosOf(await ask(service(), '/api/v3/transactions?limit=0'))).toEqual([head, null])
    expect(seqnosOf(await rpc(service(), STRICT, 'v3.masterchainInfo'))).toEqual([head, null])
    expect(seqnosOf(await rpc(service(), '/api/v2/jsonRPC', 'getMasterchainInfo'))).toEqual([null, head])
    const batch = [call('getMasterchainInfo'), call('v3.masterchainInfo'), call('dev.state')]
    expect(seqnosOf(await post(service(), STRICT, batch))).toEqual([head, head])
    expect(seqnosOf(await rpc(service(), STRICT, 'dev.state'))).toEqual([null, null])
  })

  test('pages of other origins may send the one and read the others', async () => {
    const origin = { Origin: 'http://page.example' }
    const { headers } = await ask(service(), '/api/v3/masterchainInfo', { headers: origin })
    expect(headers.get('access-control-expose-headers')).toMatch(/X-Index-Seqno.*X-Seqno/)
    const preflight = await ask(service(), '/api/v3/masterchainInfo', { method: 'OPTIONS', headers: origin })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Min-Seqno')
  })

  test.each(['-1', 'newest', '1.5', '4294967296', '99999999999', '0x10', ' '])(
    'error: X-Min-Seqno: %j',
    async (text) => {
      const { status, body } = await ask(service(), '/api/v3/masterchainInfo', min(text))
      expect([status, body.error]).toEqual([422, 'X-Min-Seqno must be a whole number from 0 to 4294967295'])
      // Where nothing is read from the index it would change nothing, and is a mistake all the same.
      expect((await ask(service(), '/api/v2/getMasterchainInfo', min(text))).status).toBe(422)
    },
  )
})

describe('of an index that is held back', () => {
  const heads = new IndexHeads()
  const head = (seqno: number) => heads.set({ seqno, rootHash: new Uint8Array([seqno]), utime: 1, at: 1 })
  let service: TestService
  let calls = 0
  let close: () => Promise<void>

  beforeAll(async () => {
    const data = await mkdtemp(join(tmpdir(), 'tonrpc-chain-'))
    const log = createLog({ format: 'json', level: 'silent' })
    const chain = await openEmbeddedChain(Settings.parse({ data, mining: 'manual', seed: 'none' }), log)
    head(7)
    const { 'v3.masterchainInfo': spec } = registry
    service = await serveMethods({
      registry: { 'v3.masterchainInfo': spec },
      handlers: () => ({
        'v3.masterchainInfo': () => {
          calls++
          return spec.result.parse(spec.example.result)
        },
      }),
      // The index is made up: its blocks are none of the chain.
      chain: { ...chain, chain: { ...chain.chain, traits: { ...chain.chain.traits, canRewind: false } } },
      index: { ...noIndex, view: heads },
    })
    close = async () => {
      await service[Symbol.asyncDispose]()
      await chain.close()
      await rm(data, { recursive: true, force: true, maxRetries: 5 })
    }
  })
  afterAll(() => close())

  const read = (seqno: number) => ask(service, '/api/v3/masterchainInfo', min(seqno))

  test('a call waits for it, and says how far it is when that takes too long', async () => {
    const waiting = read(9)
    const late = await read(100)
    expect([late.status, late.body.error, late.headers.get('x-index-seqno')]).toEqual([
      503,
      'index is behind: at 7',
      '7',
    ])
    expect(late.headers.get('retry-after')).toBe('1')
    expect((await waiting).status).toBe(503)
    const met = read(9)
    head(8)
    head(9)
    expect(seqnosOf(await met)[0]).toBe('9')
  })

  test('a cached answer is not given to a call that demands more', async () => {
    expect((await read(9)).status).toBe(200)
    const before = calls
    expect((await read(9)).status).toBe(200)
    expect(calls).toBe(before)
    const newer = read(10)
    head(10)
    expect(seqnosOf(await newer)[0]).toBe('10')
    expect(calls).toBe(before + 1)
  })

  test('the calls of a batch wait once', async () => {
    const batch = Array.from({ length: 50 }, (_, id) => call('v3.masterchainInfo', {}, id))
    const { body } = await post(service, STRICT, batch, { 'X-Min-Seqno': '50' })
    const errors = (body as unknown as { error: { message: string; data: unknown } }[]).map(({ error }) => error)
    expect(errors).toHaveLength(50)
    for (const error of errors) {
      expect(error.message).toBe('index is behind: at 10')
      expect(error.data).toMatchObject({ kind: 'indexBehind', seqno: 10, retryAfter: 1 })
    }
  })
})

describe('of an index that is at its head when the service starts', () => {
  const { 'v3.masterchainInfo': spec } = registry

  /** How often the method runs for two equal calls, one after the other. */
  async function runsOf(heads: IndexHeads): Promise<number> {
    let runs = 0
    await using service = await serveMethods({
      registry: { 'v3.masterchainInfo': spec },
      handlers: () => ({
        'v3.masterchainInfo': () => {
          runs++
          return spec.result.parse(spec.example.result)
        },
      }),
      index: { ...noIndex, view: heads },
    })
    for (let i = 0; i < 2; i++) expect((await ask(service, '/api/v3/masterchainInfo')).status).toBe(200)
    return runs
  }

  test('answers are kept, though no block comes', async () => {
    const heads = new IndexHeads()
    heads.set({ seqno: 7, rootHash: new Uint8Array([7]), utime: 1, at: 1 })
    expect(await runsOf(heads)).toBe(1)
  })

  test('none is kept while the index is about to move, or how far it is is unknown', async () => {
    const heads = new IndexHeads()
    expect(await runsOf(heads)).toBe(2)
    heads.set({ seqno: 7, rootHash: new Uint8Array([7]), utime: 1, at: 1 })
    await heads.moving()
    expect(await runsOf(heads)).toBe(2)
    heads.set({ seqno: 8, rootHash: new Uint8Array([8]), utime: 1, at: 1 })
    expect(await runsOf(heads)).toBe(1)
  })
})
