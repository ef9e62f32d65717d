// Much of what is harmless alone: many readers of one stream, webhooks by the hundred, the longest batches and frames, bodies of a
// megabyte on every path.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { beginCell, type Cell, writeBoc } from '../../server/cell/index.ts'
import { type MethodSpec, registry } from '../../shared/registry.ts'
import { treeOf } from '../setup/cellTree.ts'
import { type Asking, call, post, runParts } from './turnParts.ts'
import { traces } from './turnTraces.ts'

const MIB = 1024 * 1024
const READERS = 1000
const HOOKS = 1000

const account = (i: number): string => `0:${i.toString(16).padStart(64, '0')}`

const TYPES = ['transactions', 'actions', 'account_state_change']
const WATCHED = Array.from({ length: 100 }, (_, i) => account(1000 + i))

/** So many transfers in one block, three hundred transactions at most. */
async function busyBlock({ step }: Asking, name: string): Promise<void> {
  await step(`${name}: prepared`, '/jsonRPC', call('dev.setMining', { mode: 'manual' }))
  const transfers = Array.from({ length: 100 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'dev.faucet',
    params: { address: account(1000 + id), amount: '1000000000' },
  }))
  await step(`${name}: transfers`, '/jsonRPC', post(JSON.stringify(transfers)))
  await step(`${name}: a block`, '/jsonRPC', call('dev.mine', { blocks: 1 }))
  await pause(3000)
  await step(`${name}: done`, '/jsonRPC', call('dev.setMining', { mode: 'auto' }))
}

async function readers(asking: Asking): Promise<void> {
  const { url, begin } = asking
  begin(`${READERS} sockets: open`)
  const sockets: WebSocket[] = []
  for (let i = 0; i < READERS; i++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
    socket.on('error', () => undefined)
    sockets.push(socket)
    if (i % 20 === 19) await Promise.race([once(socket, 'open'), pause(5000)]).catch(() => undefined)
  }
  begin(`${READERS} sockets: subscribed`)
  const subscribe = JSON.stringify({
    operation: 'subscribe',
    id: '1',
    types: [...TYPES, 'blocks'],
    addresses: WATCHED,
    include_address_book: true,
    include_metadata: true,
  })
  for (const socket of sockets) {
    socket.on('message', () => undefined)
    if (socket.readyState === WebSocket.OPEN) socket.send(subscribe)
  }
  await pause(1000)
  await busyBlock(asking, `${READERS} sockets`)
  begin(`${READERS} sockets: closed`)
  for (const socket of sockets) socket.terminate()
  await pause(1000)
  begin(`${READERS} event streams: open`)
  const abort = new AbortController()
  for (let i = 0; i < READERS; i += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const reply = await fetch(`${url}/api/streaming/v2/sse`, {
          ...post(JSON.stringify({ types: TYPES, addresses: WATCHED })),
          signal: abort.signal,
        }).catch(() => null)
        void reply?.body?.pipeTo(new WritableStream()).catch(() => undefined)
      }),
    )
  await busyBlock(asking, `${READERS} event streams`)
  begin(`${READERS} event streams: closed`)
  abort.abort()
  await pause(1000)
}

async function batches({ url, step, begin, examples }: Asking): Promise<void> {
  const of = (method: string, length: number) =>
    JSON.stringify(
      Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method, params: examples.get(method) ?? {} })),
    )
  for (const method of ['getMasterchainInfo', 'v3.transactions', 'v3.traces', 'runGetMethod', 'nothing'])
    await step(`batch of 1000 of ${method}`, '/jsonRPC', post(of(method, 1000)))
  await step('batch of 1000 numbers', '/jsonRPC', post(`[${'1,'.repeat(999)}1]`))
  await step('batch of 60000 objects', '/jsonRPC', post(`[${'{},'.repeat(60_000)}1]`))
  for (const path of ['/jsonRPC', '/api/streaming/v2/ws']) {
    const texts = {
      'largest frame': JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'v3.decode',
        params: { x: 'x '.repeat(500_000) },
      }),
      'frame of values': `[${'0,'.repeat(520_000)}0]`,
      'frame of objects': `[${'{},'.repeat(340_000)}0]`,
      'frame of brackets': '['.repeat(MIB - 10),
      'frame of names': `{${Array.from({ length: 80_000 }, (_, i) => `"${i.toString(36)}":0`).join()}}`,
    }
    for (const [name, text] of Object.entries(texts)) {
      const socket = new WebSocket(url.replace('http', 'ws') + path)
      socket.on('error', () => undefined)
      await once(socket, 'open')
      begin(`${name} ${path}`)
      socket.send(text)
      await Promise.race([once(socket, 'message'), once(socket, 'close'), pause(3000)])
      await pause(50)
      socket.terminate()
    }
  }
}

const MOST_BODY = MIB - 1024

/** Bodies of a megabyte, on each path that takes one. */
async function bodies({ step }: Asking): Promise<void> {
  const all = {
    spaces: ' '.repeat(MOST_BODY),
    text: JSON.stringify('x '.repeat(MOST_BODY / 2 - 10)),
    zeros: `[${'0,'.repeat(MOST_BODY / 2 - 10)}0]`,
    names: `{${Array.from({ length: 90_000 }, (_, i) => `"${i.toString(36)}":0`).join()}}`,
    bytes: '\u00ff'.repeat(MOST_BODY / 2),
  }
  const paths = new Set(
    Object.values<MethodSpec>(registry).flatMap(({ rest }) =>
      rest.filter(({ verb }) => verb === 'POST').map(({ path }) => path),
    ),
  )
  for (const path of [
    ...paths,
    '/api/streaming/v2/sse',
    '/api/webhooks/v1/webhooks',
    '/api/admin/keys',
    '/',
    '/nowhere',
  ])
    for (const [name, body] of Object.entries(all)) await step(`a megabyte of ${name} ${path}`, path, post(body))
}

async function decoding({ step }: Asking): Promise<void> {
  const text = (cell: Cell) => Buffer.from(writeBoc(cell)).toString('base64')
  const comment = (i: number) => text(beginCell().storeUint(0, 32).storeUint(i, 64).end())
  const all = {
    'a thousand comments': Array.from({ length: 1000 }, (_, i) => comment(i)),
    'a thousand bags': Array.from({ length: 1000 }, (_, i) => text(treeOf(20, i))),
    'large bags': Array.from({ length: 4 }, (_, i) => text(treeOf(9000, i))),
    'no bags': new Array(1000).fill('te6x'),
    hex: new Array(1000).fill('ab'.repeat(300)),
  }
  for (const [name, bodies] of Object.entries(all))
    await step(`v3.decode ${name}`, '/jsonRPC', call('v3.decode', { bodies }))
  await step('v3.decode opcodes', '/jsonRPC', call('v3.decode', { opcodes: new Array(1000).fill('0x0f8a7ea5') }))
}

async function webhooks(asking: Asking): Promise<void> {
  const { begin, step } = asking
  let taken = 0
  const target = createServer((request, response) => {
    request.resume().once('end', () => {
      taken++
      response.end()
    })
  })
  await once(target.listen(0, '127.0.0.1'), 'listening')
  const address = target.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const hook = (i: number) =>
    post(
      JSON.stringify({
        endpoint: `http://127.0.0.1:${port}/${i}`,
        subscription: { types: TYPES, addresses: [account(1000 + (i % 100))] },
      }),
    )
  begin('webhooks: added')
  for (let i = 0; i < HOOKS; i++) {
    const answer = await fetch(`${asking.url}/api/webhooks/v1/webhooks`, hook(i))
    if (i === 0 || (!answer.ok && i < 3))
      console.log(`webhook ${i}: ${answer.status} ${(await answer.text()).slice(0, 160)}`)
    if (!answer.ok) break
  }
  await step('webhooks: list', '/api/webhooks/v1/webhooks')
  await busyBlock(asking, 'webhooks')
  await pause(5000)
  console.log(`webhook deliveries: ${taken}`)
  target.closeAllConnections()
  target.close()
}

async function labels({ url, step }: Asking): Promise<void> {
  for (let i = 0; i < 300; i++)
    await Promise.all(
      Array.from({ length: 10 }, (_, k) =>
        fetch(`${url}/jsonRPC`, call(`no.method.${i}.${k}`, {})).then((reply) => reply.arrayBuffer()),
      ),
    )
  for (const path of ['/metrics', '/status', '/api/v3/', '/openapi/v3.json'])
    await step(`after 3000 names ${path}`, path)
}

const PARTS = { labels, decoding, batches, bodies, readers, webhooks, traces }

/** All of them, or those that are named. */
export const askMany = (asking: Asking, named: string | undefined): Promise<void> => runParts(PARTS, asking, named)
