// What strangers may send to hold an event loop: as much of everything as the bounds of the service let in.

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { beginCell, type Cell, writeBoc } from '../../server/cell/index.ts'
import { type MethodSpec, registry } from '../../shared/registry.ts'
import { type Asking, call, post, runParts } from './turnParts.ts'

const MIB = 1024 * 1024
/** So much less than a megabyte leaves room for what is around it. */
const ROOM = MIB - 1024

const fill = (one: string, length = ROOM): string => one.repeat(Math.floor(length / (one.length + 1)) + 1)
const list = (one: string): string => `[${fill(`${one},`)}${one}]`
const account = (i: number): string => `0:${i.toString(16).padStart(64, '0')}`

/** A bag of so many small cells, each different. */
function bagOf(leaves: number): Cell {
  let level = Array.from({ length: leaves }, (_, i) => beginCell().storeUint(i, 16).end())
  while (level.length > 1) {
    const above: Cell[] = []
    for (let i = 0; i < level.length; i += 4) {
      const builder = beginCell()
      for (const cell of level.slice(i, i + 4)) builder.storeRef(cell)
      above.push(builder.end())
    }
    level = above
  }
  return level[0] ?? beginCell().end()
}

const textOf = (root: Cell): string => Buffer.from(writeBoc(root)).toString('base64')

/** A message from outside as large as one may be. */
const message = (): Cell =>
  beginCell()
    .storeUint(0b1000, 4)
    .storeUint(0b100, 3)
    .storeUint(0, 8)
    .storeRepeat(1, 256)
    .storeUint(0, 4)
    .storeUint(0, 1)
    .storeUint(1, 1)
    .storeRef(bagOf(8000))
    .end()

async function texts({ step }: Asking): Promise<void> {
  const inParams = (value: string) =>
    post(`{"jsonrpc":"2.0","id":1,"method":"v3.accountStates","params":{"address":${value}}}`)
  const names = Array.from({ length: 100_000 }, (_, i) => `"${i.toString(36)}":0`).join()
  const all = {
    names: post(`{${names.slice(0, names.lastIndexOf(',', ROOM))}}`),
    objects: post(list('{}')),
    'lists as params': inParams(list('[]')),
    'zeros as params': inParams(list('0')),
    'texts as params': inParams(list('""')),
    'long numbers': inParams(list('1234567890123456789')),
    'a long text': inParams(JSON.stringify(fill('x '))),
    'a long id': post(`{"jsonrpc":"2.0","id":"${fill('x ')}","method":"getMasterchainInfo"}`),
    'a long method': post(`{"jsonrpc":"2.0","id":1,"method":"${fill('x ')}"}`),
    escapes: inParams(`"${fill('\\u0041')}"`),
  }
  for (const [name, init] of Object.entries(all))
    for (const door of ['/jsonRPC', '/api/v2/jsonRPC']) await step(`hostile ${name} ${door}`, door, init)
  for (const [name, spec] of Object.entries<MethodSpec>(registry)) {
    const { properties = {} } = z.toJSONSchema(spec.params, { io: 'input', unrepresentable: 'any' })
    const lists = Object.entries(properties).filter(([, one]) => typeof one === 'object' && one.type === 'array')
    for (const [param] of lists) {
      await step(
        `hostile ${name} ${param}: texts`,
        '/api/v2/jsonRPC',
        call(name, { [param]: new Array(60_000).fill('x') }),
      )
      await step(
        `hostile ${name} ${param}: lists`,
        '/api/v2/jsonRPC',
        call(name, { [param]: new Array(20_000).fill(['a', 'b']) }),
      )
    }
  }
}

async function queries({ step }: Asking): Promise<void> {
  const most = 127 * 1024
  const all = {
    'unknown names': fill('a=1&', most),
    'a known name': fill('limit=1&', most),
    commas: `account=${fill(',', most)}`,
    escapes: `account=${fill('%41', most)}`,
    addresses: `account=${Array.from({ length: 1000 }, (_, i) => account(i)).join()}`,
    'wrong addresses': `account=${fill('EQx,', most)}`,
    hashes: `hash=${fill(`${'ab'.repeat(32)},`, most)}`,
  }
  for (const [name, query] of Object.entries(all)) {
    await step(`hostile query of ${name}`, `/api/v3/transactions?${query}`)
    await step(`hostile query of ${name}, unknown path`, `/api/v3/nothing?${query}`)
  }
  const headers = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, '1']))
  await step('hostile headers', '/api/v3/masterchainInfo', { headers })
  await step('hostile header', '/api/v3/masterchainInfo', { headers: { cookie: fill('a=1; ', 12_000) } })
}

async function bags({ step, examples }: Asking): Promise<void> {
  const deep = Array.from({ length: 500 }).reduce<Cell>((cell) => beginCell().storeRef(cell).end(), beginCell().end())
  const all = { large: textOf(bagOf(24_000)), deep: textOf(deep), message: textOf(message()) }
  for (const [name, spec] of Object.entries<MethodSpec>(registry)) {
    const { properties = {} } = z.toJSONSchema(spec.params, { io: 'input', unrepresentable: 'any' })
    for (const [param, schema] of Object.entries(properties)) {
      if (typeof schema !== 'object' || !/boc|body|code|data|message|payload|stack/.test(param)) continue
      for (const [size, boc] of Object.entries(all)) {
        const value = param === 'stack' ? [['tvm.Cell', boc]] : schema.type === 'array' ? [boc] : boc
        await step(
          `hostile ${name} ${param}: ${size}`,
          '/jsonRPC',
          call(name, { ...examples.get(name), [param]: value }),
        )
      }
    }
  }
  const numbers = Array.from({ length: 250 }, () => ['num', '0x1'])
  await step(
    'hostile stack of numbers',
    '/jsonRPC',
    call('runGetMethod', { ...examples.get('runGetMethod'), stack: numbers }),
  )
}

async function batches({ step, examples }: Asking): Promise<void> {
  const of = (name: string, params: unknown) =>
    post(
      JSON.stringify(
        Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: name, params: Object(params) })),
      ),
    )
  for (const name of Object.keys(registry).filter((one) => !/^dev\.|sendAndWait|wait/i.test(one)))
    await step(`batch of ${name}`, '/jsonRPC', of(name, examples.get(name) ?? {}))
  const mixed = [...examples].filter(([name]) => !name.startsWith('dev.'))
  const body = JSON.stringify(
    mixed.slice(0, 100).map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })),
  )
  await step('batch of all', '/jsonRPC', post(body))
}

async function opened(url: string, path: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws') + path)
  socket.on('error', () => undefined)
  await once(socket, 'open')
  return socket
}

const SUBSCRIBERS = 200
const OF_EACH = 200

async function streams({ url, begin, step }: Asking): Promise<void> {
  const path = '/api/streaming/v2/ws'
  const subscribe = (more: object) =>
    JSON.stringify({ operation: 'subscribe', id: '1', types: ['transactions'], ...more })
  const all = {
    addresses: subscribe({ addresses: Array.from({ length: 13_000 }, (_, i) => account(i)) }),
    'wrong addresses': subscribe({ addresses: new Array(60_000).fill(0) }),
    hashes: subscribe({
      types: ['trace'],
      trace_external_hash_norms: Array.from({ length: 14_000 }, (_, i) => i.toString(16).padStart(64, '0')),
    }),
    types: subscribe({ types: new Array(60_000).fill('transactions'), addresses: [account(1)] }),
    'action types': subscribe({
      addresses: [account(1)],
      action_types: Array.from({ length: 60_000 }, (_, i) => `${i}`),
      supported_action_types: Array.from({ length: 60_000 }, (_, i) => `${i}`),
    }),
    'unsubscribed addresses': JSON.stringify({
      operation: 'unsubscribe',
      id: '1',
      addresses: Array.from({ length: 13_000 }, (_, i) => account(i)),
    }),
  }
  for (const [name, text] of Object.entries(all)) {
    const socket = await opened(url, path)
    begin(`stream of ${name}`)
    socket.send(text)
    await Promise.race([once(socket, 'message'), once(socket, 'close'), pause(3000)])
    await pause(50)
    socket.terminate()
  }
  begin('stream: sockets open')
  const sockets = await Promise.all(Array.from({ length: SUBSCRIBERS }, () => opened(url, path)))
  begin('stream: subscribers')
  const watched = Array.from({ length: OF_EACH }, (_, i) => account(i + 1))
  for (const socket of sockets) {
    socket.on('message', () => undefined)
    socket.send(
      subscribe({
        types: ['transactions', 'actions', 'account_state_change'],
        addresses: watched,
        include_address_book: true,
        include_metadata: true,
      }),
    )
  }
  await pause(2000)
  for (let i = 1; i <= 10; i++) {
    await step('stream: blocks', '/jsonRPC', call('dev.faucet', { address: account(i), amount: '1000000000' }))
    await pause(300)
  }
  begin('stream: closed')
  for (const socket of sockets) socket.terminate()
  await pause(1000)
}

async function frames({ url, begin, examples }: Asking): Promise<void> {
  const socket = await opened(url, '/jsonRPC')
  begin('frames')
  let answered = 0
  socket.on('message', () => answered++)
  const calls = [...examples].filter(([name]) => !name.startsWith('dev.') && !/wait/i.test(name))
  for (const [id, [method, params]] of calls.entries())
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  for (let waited = 0; answered < calls.length && waited < 100; waited++) await pause(100)
  socket.terminate()
}

const PARTS = { texts, queries, bags, batches, frames, streams }

/** All of them, or those that are named. */
export const askHostile = (asking: Asking, named: string | undefined): Promise<void> => runParts(PARTS, asking, named)
