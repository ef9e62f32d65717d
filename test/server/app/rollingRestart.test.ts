// A rolling restart: two processes that answer and two that index, over one PostgreSQL and the lite port of a devnet, each stopped
// and started again while callers go through a proxy. Every request is answered, and no answer is wrong.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { stream } from '../../../client/ws.ts'
import { keys } from '../../../server/cli/keys/command.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { type RunningService, startBuilt } from '../../setup/runningService.ts'
import type { Frame } from '../../setup/streams.ts'
import { openReceiver } from '../../setup/webhooks.ts'

/** As the Caddyfile has it: asks `/readyz`, and tries another process only where none has got the request. */
async function startProxy(targets: () => readonly string[]) {
  const ready = new Set<string>()
  let isClosed = false
  const watch = (async () => {
    while (!isClosed) {
      await Promise.all(
        targets().map(async (url) => {
          const isReady = await fetch(`${url}/readyz`, { headers: { Connection: 'close' } }).then(
            ({ status }) => status === 200,
            () => false,
          )
          if (isReady) ready.add(url)
          else ready.delete(url)
        }),
      )
      await sleep(100)
    }
  })()
  let turn = 0
  const pass = (url: string, req: IncomingMessage, body: Buffer, res: ServerResponse): Promise<boolean> =>
    new Promise((resolve) => {
      const { host, ...headers } = req.headers
      const upstream = request(url + (req.url ?? ''), { method: req.method ?? 'GET', headers, agent: false })
      upstream.on('response', (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
        resolve(true)
      })
      upstream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') return resolve(false)
        if (!res.headersSent) res.writeHead(502)
        res.end(String(error))
        resolve(true)
      })
      upstream.end(body)
    })
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
    for (;;) {
      const all = targets().filter((url) => ready.has(url))
      const url = all[turn++ % Math.max(1, all.length)]
      if (url !== undefined && (await pass(url, req, Buffer.concat(chunks), res))) return
      await sleep(20)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (url: string) => ready.has(url),
    async [Symbol.asyncDispose]() {
      isClosed = true
      server.closeAllConnections()
      server.close()
      await watch
    },
  }
}

async function keysCommand(...argv: string[]): Promise<readonly string[]> {
  const out: string[] = []
  await keys.run(argv, { env: {}, out: (text) => void out.push(text), err: (text) => void out.push(text) })
  return out
}

const PATIENCE = { timeout: 90_000, interval: 100 }

describe.runIf(drivers.includes('postgres'))('a rolling restart', () => {
  test('of all processes fails no request', { timeout: 240_000 }, async () => {
    const top = await mkdtemp(join(tmpdir(), 'tonrpc-rolling-'))
    const database = await emptyDatabase()
    const processes = new Map<string, RunningService>()
    try {
      await using chain = await startBuilt(['--data', join(top, 'chain'), '--lite-port', '0', '--block-time', '500ms'])
      const start = async (role: 'api' | 'index', name: string) => {
        const own = ['--role', role, '--data', join(top, name), '--stop-delay-ms', '1000']
        const network = ['--webhook-private', '--network', 'custom', '--liteservers', `${chain.url}/global.config.json`]
        processes.set(name, await startBuilt([...own, ...network, '--database', database, '--index-from', '1']))
      }
      const stop = async (name: string) => {
        processes.get(name)?.child.kill('SIGTERM')
        expect((await processes.get(name)?.ended)?.code).toBe(0)
        processes.delete(name)
      }
      await start('index', 'index1')
      await start('index', 'index2')
      await start('api', 'api1')
      await start('api', 'api2')
      const urls = () => ['api1', 'api2'].flatMap((name) => processes.get(name)?.url ?? [])
      await using proxy = await startProxy(urls)
      const areReady = () => urls().length === 2 && urls().every((url) => proxy.isReady(url))
      await expect.poll(areReady, PATIENCE).toBe(true)

      // Deliveries and a reader of streams go on, too.
      const receiver = await openReceiver()
      const [made = ''] = await keysCommand(
        'create',
        '--plan',
        'free',
        '--network',
        'custom',
        '--database',
        database,
        '--json',
      )
      const { key } = JSON.parse(made) as { key: string }
      const subscription = { types: ['blocks'] }
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
      const add = async (url: string, endpoint: string) => {
        const body = JSON.stringify({ endpoint, subscription })
        return (await fetch(`${url}/webhooks`, { method: 'POST', headers, body })).status
      }
      await expect.poll(async () => await add(urls()[0] ?? '', receiver.url), PATIENCE).toBe(200)
      // The plan has five: two processes that are called at once give no more.
      const more = Array.from({ length: 8 }, (_, i) => add(urls()[i % 2] ?? '', `${receiver.url}/none`))
      expect((await Promise.all(more)).filter((status) => status === 200)).toHaveLength(4)
      const seqnoIn = ({ block }: Frame): number[] =>
        (block as Frame).workchain === -1 ? [Number((block as Frame).seqno)] : []
      const heard: number[] = []
      const end = new AbortController()
      const reading = (async () => {
        for await (const one of stream({ url: proxy.url, apiKey: key, ...subscription, signal: end.signal }))
          heard.push(...seqnoIn(one))
      })()
      await expect.poll(() => heard.length, PATIENCE).toBeGreaterThan(0)

      const wrong: string[] = []
      let answered = 0
      let isDone = false
      let newest = 0
      const check = async (path: string, init: RequestInit, judge: (text: string) => boolean) => {
        const reply = await fetch(proxy.url + path, init)
        const text = await reply.text()
        answered++
        if (reply.status !== 200 || !judge(text)) wrong.push(`${path} ${reply.status} ${text.slice(0, 300)}`)
      }
      const post = (method: string, params: unknown): RequestInit => ({
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const callers = [
        () => check('/api/v3/blocks?workchain=-1&seqno=1', {}, (text) => /"seqno":1\b/.test(text)),
        () =>
          check('/api/v3/masterchainInfo', {}, (text) => {
            const { last } = JSON.parse(text) as { last: { seqno: number } }
            newest = Math.max(newest, last.seqno)
            return last.seqno > 0
          }),
        () => check('/jsonRPC', post('getMasterchainInfo', {}), (text) => /"result":\{.*"seqno":\d+/.test(text)),
        () => {
          const shard = { workchain: -1, shard: '-9223372036854775808', seqno: 1 }
          return check('/jsonRPC', post('lookupBlock', shard), (text) => /"result":\{.*"seqno":1\b/.test(text))
        },
      ].map(async (call) => {
        while (!isDone) {
          await call()
          await sleep(10)
        }
      })
      const restarts = async () => {
        for (const name of ['index1', 'index2']) {
          await stop(name)
          await start('index', name)
        }
        for (const name of ['api1', 'api2']) {
          await stop(name)
          await start('api', name)
          await expect.poll(areReady, PATIENCE).toBe(true)
        }
      }
      const before = newest
      await restarts().finally(() => {
        isDone = true
      })
      await Promise.all(callers)
      expect(wrong.slice(0, 5)).toEqual([])
      expect(answered).toBeGreaterThan(20)
      expect(newest).toBeGreaterThan(before)

      const inARow = (first: number) => Array.from({ length: newest - first + 1 }, (_, i) => first + i)
      await expect.poll(() => heard.at(-1), PATIENCE).toBeGreaterThanOrEqual(newest)
      end.abort()
      await reading
      expect(heard.filter((seqno) => seqno <= newest)).toEqual(inARow(heard[0] ?? 0))
      const posted = () => receiver.all.filter(({ path }) => path === '/hook').flatMap(({ body }) => seqnoIn(body))
      await expect.poll(() => posted().at(-1), PATIENCE).toBeGreaterThanOrEqual(newest)
      // At least once, in order: an event that was on its way when its process stopped may come again.
      const once = posted().filter((seqno, i, all) => seqno !== all[i - 1] && seqno <= newest)
      expect(once).toEqual(inARow(once[0] ?? 0))
    } finally {
      for (const one of processes.values()) await one[Symbol.asyncDispose]()
      await dropDatabase(database)
      await rm(top, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
