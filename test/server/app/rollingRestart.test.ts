// Two processes that answer and two that index, over one PostgreSQL and the lite port of a devnet, with callers that go through a
// proxy. Each is stopped and started again: every request is answered, and no answer is wrong. Then the network between them is
// cut without a sign: no byte passes and no connection ends, as when a machine loses its power.

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { stream } from '../../../client/ws.ts'
import { keysCommand } from '../../../server/cli/keys/command.ts'
import { cuttableProxy } from '../../setup/cuttableProxy.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { HASTY, type RunningService, startBuilt } from '../../setup/runningService.ts'
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
      // A reader that has gone leaves no connection behind.
      res.on('close', () => upstream.destroy())
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

/** Each process reaches the database and the chain over wires of its own. */
async function wiresOf(database: string, chain: RunningService, folder: string) {
  type Wire = Awaited<ReturnType<typeof cuttableProxy>>
  const wires = new Map<string, { readonly database: Wire; readonly chain: Wire; readonly flags: readonly string[] }>()
  const config = (await (await fetch(`${chain.url}/global.config.json`)).json()) as { liteservers: { port: number }[] }
  const url = new URL(database)
  const make = async (name: string) => {
    const own = {
      database: await cuttableProxy(Number(url.port || 5432), url.hostname),
      chain: await cuttableProxy(config.liteservers[0]?.port ?? 0),
    }
    const address = new URL(database)
    address.host = `127.0.0.1:${own.database.port}`
    const file = join(folder, `${name}.config.json`)
    const liteservers = config.liteservers.map((one) => ({ ...one, port: own.chain.port }))
    await writeFile(file, JSON.stringify({ ...config, liteservers }))
    return { ...own, flags: ['--database', address.href, '--liteservers', file] }
  }
  return {
    async of(name: string) {
      const known = wires.get(name) ?? (await make(name))
      wires.set(name, known)
      return known
    },
    [Symbol.dispose]() {
      for (const one of wires.values()) for (const wire of [one.database, one.chain]) wire.close()
    },
  }
}

async function runKeysCommand(...argv: string[]): Promise<readonly string[]> {
  const out: string[] = []
  await keysCommand.run(argv, { env: {}, out: (text) => void out.push(text), err: (text) => void out.push(text) })
  return out
}

const PATIENCE = { timeout: 300_000, interval: 100 }

describe.runIf(drivers.includes('postgres'))('a rolling restart', () => {
  test('of all processes fails no request, and a cut network shows no wrong answer', {
    timeout: 1_200_000,
  }, async () => {
    const top = await mkdtemp(join(tmpdir(), 'tonrpc-rolling-'))
    const database = await emptyDatabase()
    const processes = new Map<string, RunningService>()
    try {
      await using chain = await startBuilt(['--data', join(top, 'chain'), '--lite-port', '0', '--block-time', '1s'])
      using wires = await wiresOf(database, chain, top)
      const start = async (role: 'api' | 'index', name: string) => {
        const own = ['--role', role, '--data', join(top, name), '--stop-delay-ms', '1000', '--index-from', '1']
        const network = ['--webhook-private', '--network', 'custom', ...(await wires.of(name)).flags]
        processes.set(name, await startBuilt([...own, ...network, ...HASTY]))
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
      const [made = ''] = await runKeysCommand(
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
      const subscription = { types: ['blocks'] } as const
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
          // Eighty calls a second meet every moment of a restart.
          await sleep(50)
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
      const posted = () => receiver.all.filter(({ path }) => path === '/hook')
      const delivered = () => posted().flatMap(({ body }) => seqnoIn(body))
      /** Waits for the deliveries of all blocks so far: at least once each, and in order. */
      const allDelivered = async () => {
        await expect.poll(() => delivered().at(-1), PATIENCE).toBeGreaterThanOrEqual(newest)
        // An event that was on its way when its process stopped may come again.
        const once = delivered().filter((seqno, i, all) => seqno !== all[i - 1] && seqno <= newest)
        expect(once).toEqual(inARow(once[0] ?? 0))
      }
      await allDelivered()

      const read = async (name: string, path: string) => {
        const reply = await fetch((processes.get(name)?.url ?? '') + path)
        return { status: reply.status, text: await reply.text() }
      }
      const leads = async (name: string) => /^tonrpc_index_leads 1/m.test((await read(name, '/metrics')).text)
      const isReady = async (name: string) => (await read(name, '/readyz')).status === 200
      const head = async () => {
        const { last } = JSON.parse((await read('api2', '/api/v3/masterchainInfo')).text) as { last: Frame }
        return Number(last.seqno)
      }
      const moves = async () => {
        const before = await head()
        await expect.poll(head, PATIENCE).toBeGreaterThan(before + 1)
      }
      /** An error in the form of the path, which names nothing inside. */
      const isError = ({ status, text }: { status: number; text: string }) =>
        [500, 503, 504].includes(status) && /"error":"[^"]{10,}"/.test(text) && !/127\.0\.0\.1|select /.test(text)
      const namesByLead = async () => {
        await expect.poll(async () => (await leads('index1')) || (await leads('index2')), PATIENCE).toBe(true)
        return (await leads('index1')) ? (['index1', 'index2'] as const) : (['index2', 'index1'] as const)
      }
      const [killed, next] = await namesByLead()
      // Killed with a delivery on its way: the other process repeats that one, and goes on from there.
      let cut = ''
      receiver.answer = (res, { path, headers }) => {
        if (path === '/hook' && cut === '') {
          cut = String(headers['idempotency-key'])
          processes.get(killed)?.child.kill('SIGKILL')
        } else res.writeHead(200).end()
      }
      await processes.get(killed)?.ended
      await expect.poll(() => leads(next), PATIENCE).toBe(true)
      await moves()
      newest = await head()
      await allDelivered()
      expect(posted().filter(({ headers }) => headers['idempotency-key'] === cut)).toHaveLength(2)
      await start('index', killed)
      await expect.poll(() => isReady(killed), PATIENCE).toBe(true)
      const [leader, standby] = await namesByLead()

      // The server knows nothing of the cut: it ends the session of the leader by itself.
      const toDatabase = (await wires.of(leader)).database
      toDatabase.hang()
      await expect.poll(() => leads(standby), PATIENCE).toBe(true)
      await moves()
      await expect.poll(() => leads(leader), PATIENCE).toBe(false)
      toDatabase.heal()
      await expect.poll(() => isReady(leader), PATIENCE).toBe(true)
      expect(await leads(standby)).toBe(true)

      const ofApi = await wires.of('api1')
      ofApi.database.hang()
      expect(await read('api1', '/api/v3/blocks?workchain=-1&seqno=2')).toSatisfy(isError)
      await expect.poll(() => proxy.isReady(processes.get('api1')?.url ?? ''), PATIENCE).toBe(false)
      expect((await read('api1', '/api/v2/getMasterchainInfo')).status).toBe(200)
      expect((await fetch(`${proxy.url}/api/v3/blocks?workchain=-1&seqno=3`)).status).toBe(200)
      ofApi.database.heal()
      await expect.poll(areReady, PATIENCE).toBe(true)

      ofApi.chain.hang()
      expect((await read('api1', '/api/v3/blocks?workchain=-1&seqno=4')).text).toMatch(/"seqno":4\b/)
      const account = () => read('api1', `/api/v2/getAddressBalance?address=0:${'0'.repeat(64)}`)
      // It names the lite server, as callers of v2 expect.
      expect(await account()).toMatchObject({
        status: 504,
        text: expect.stringMatching(/"ok":false,"error":"LITE_SERVER/),
      })
      ofApi.chain.heal()
      await expect.poll(async () => (await account()).status, PATIENCE).toBe(200)

      const toChain = (await wires.of(standby)).chain
      toChain.hang()
      await expect.poll(() => isReady(standby), PATIENCE).toBe(false)
      toChain.heal()
      await moves()
      const all = JSON.parse((await read('api2', '/api/v3/blocks?workchain=-1&limit=1000&sort=asc')).text)
      const seqnos = (all.blocks as Frame[]).map((block) => Number(block.seqno))
      expect(seqnos).toEqual(seqnos.map((_, i) => i + 1))
    } finally {
      for (const one of processes.values()) await one[Symbol.asyncDispose]()
      await dropDatabase(database)
      await rm(top, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
