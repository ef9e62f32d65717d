// One client at full speed, in a process of its own, until it is killed.

import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { beginCell, type Cell, writeBoc } from '../../server/cell/index.ts'
import { treeOf } from '../setup/cellTree.ts'

interface Task {
  readonly kind: string
  readonly url: string
  readonly examples: readonly (readonly [string, Readonly<Record<string, unknown>>])[]
}

type Flood = (task: Task, round: number) => Promise<unknown>

const LANES = 32
const counts: Record<string, number> = {}
const count = (what: string): void => {
  counts[what] = (counts[what] ?? 0) + 1
}

const account = (i: number): string => `0:${i.toString(16).padStart(64, '0')}`

const textOf = (root: Cell): string => Buffer.from(writeBoc(root)).toString('base64')
const made = new Map<number, string>()

/** Few different ones: to make them takes longer than to read them. */
function bag(leaves: number, seed: number): string {
  const key = leaves * 8 + (seed % 8)
  const text = made.get(key) ?? textOf(treeOf(leaves, seed % 8))
  made.set(key, text)
  return text
}

const messages: string[] = []
function message(seed: number): string {
  const one = seed % 8
  messages[one] ??= textOf(
    beginCell()
      .storeUint(0b1000, 4)
      .storeUint(0b100, 3)
      .storeUint(0, 8)
      .storeRepeat(1, 256)
      .storeUint(0, 4)
      .storeUint(0, 1)
      .storeUint(1, 1)
      .storeRef(treeOf(6000, one))
      .end(),
  )
  return messages[one] ?? ''
}

async function get({ url }: Task, path: string, accept = 'application/json'): Promise<void> {
  const reply = await fetch(url + path, { headers: { accept } })
  await reply.arrayBuffer()
  count(`${reply.status}`)
}

async function post({ url }: Task, body: string, path = '/jsonRPC'): Promise<void> {
  const reply = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  await reply.arrayBuffer()
  count(`${reply.status}`)
}

const call = (task: Task, method: string, params: object): Promise<void> =>
  post(task, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
const exampleOf = ({ examples }: Task, method: string): object => new Map(examples).get(method) ?? {}
const example = (task: Task, method: string, more: object): Promise<void> =>
  call(task, method, { ...exampleOf(task, method), ...more })

const LATEST = 4_000_000_000
const list =
  (path: string): Flood =>
  (task, round) =>
    get(task, `/api/v3/${path}limit=1000&offset=${round % 500}&end_utime=${LATEST - round}`)
const thousand = (round: number) => Array.from({ length: 1000 }, (_, i) => account(round * 1000 + i))

const streamOf = ({ url }: Task): WebSocket => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`)
  socket.on('error', () => count('error'))
  return socket
}

const closed = (socket: WebSocket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()))
const MIB = 1024 * 1024 - 2048

export const FLOODS: Readonly<Record<string, Flood>> = {
  transactions: list('transactions?'),
  traces: list('traces?include_actions=true&include_balance_changes=true&'),
  actions: list('actions?'),
  messages: list('messages?'),
  events: list('transactionsByMasterchainBlock?seqno=3&'),
  accountStates: (task, round) => call(task, 'v3.accountStates', { address: thousand(round), include_boc: true }),
  walletStates: (task, round) => call(task, 'v3.walletStates', { address: thousand(round) }),
  addressBook: (task, round) => call(task, 'v3.addressBook', { address: thousand(round) }),
  metadata: (task, round) => call(task, 'v3.metadata', { address: thousand(round) }),
  query: (task, round) => get(task, `/api/v3/accountStates?address=${thousand(round).join()}`),
  wrongQuery: (task) => get(task, `/api/v3/transactions?${'limit=1&'.repeat(16_000)}`),
  decode: (task, round) =>
    call(task, 'v3.decode', { bodies: Array.from({ length: 4 }, (_, i) => bag(9000, round + i)) }),
  stack: (task, round) => example(task, 'runGetMethod', { stack: [['tvm.Cell', bag(24_000, round)]] }),
  estimate: (task, round) => example(task, 'estimateFee', { body: bag(24_000, round) }),
  emulate: (task, round) => call(task, 'emulate.trace', { boc: message(round) }),
  sendBoc: (task, round) => call(task, 'sendBoc', { boc: message(round) }),
  sentBags: (task, round) => call(task, 'sendBoc', { boc: bag(24_000, round) }),
  getMethods: (task, round) => example(task, 'runGetMethod', { method: round }),
  history: (task, round) => example(task, 'getTransactions', { limit: 100, to_lt: String(round) }),
  blockTransactions: (task, round) =>
    call(task, 'getBlockTransactionsExt', {
      workchain: 0,
      shard: '-9223372036854775808',
      seqno: 1 + (round % 100),
      count: 256,
    }),
  config: (task, round) => call(task, 'getConfigAll', { seqno: 1 + (round % 100) }),
  proofs: (task, round) => example(task, 'getShardBlockProof', { seqno: 1 + (round % 100) }),
  batches: (task, round) =>
    post(
      task,
      JSON.stringify(
        Array.from({ length: 100 }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: ['v3.transactions', 'v3.traces'][id % 2],
          params: { limit: 1000, offset: (round + id) % 500 },
        })),
      ),
    ),
  v4: (task, round) => get(task, `/block/${1 + (round % 200)}`),
  v4Accounts: (task, round) =>
    get(task, `/block/${1 + (round % 200)}/Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF`),
  documents: (task, round) =>
    get(
      task,
      ['/openapi/v2.json', '/openapi/v3.json', '/openrpc/methods.json', '/api/v3/', '/api/v2/'][round % 5] ?? '',
      'text/html',
    ),
  pages: (task, round) =>
    get(task, ['/', '/status', '/docs/', '/account/x', '/nowhere', '/config'][round % 6] ?? '', 'text/html'),
  metrics: (task, round) => get(task, ['/metrics', '/status', '/readyz'][round % 3] ?? ''),
  names: (task) => post(task, `{${Array.from({ length: 80_000 }, (_, i) => `"${i.toString(36)}":0`).join()}}`),
  numbers: (task) => post(task, `[${'0,'.repeat(MIB / 2)}0]`),
  text: (task) =>
    post(
      task,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'v3.decode', params: { x: 'é'.repeat(MIB / 2 - 100) } }),
    ),
  nothing: (task) => get(task, '/nowhere/at/all'),
  connections: ({ url }) =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end('GET / HTTP/1.0\r\n\r\n'))
      socket.on('error', () => count('error'))
      socket.resume().once('close', () => resolve(count('closed')))
    }),
  sockets: async (task) => {
    const socket = streamOf(task)
    socket.once('open', () => socket.terminate())
    await closed(socket)
    count('closed')
  },
  subscriptions: async (task, round) => {
    const socket = streamOf(task)
    const addresses = Array.from({ length: 13_000 }, (_, i) => account(round * 13_000 + i))
    socket.once('open', () =>
      socket.send(JSON.stringify({ operation: 'subscribe', id: '1', types: ['transactions'], addresses })),
    )
    socket.once('message', () => {
      count('subscribed')
      socket.terminate()
    })
    await closed(socket)
  },
  frames: async ({ url }) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/jsonRPC`)
    socket.on('error', () => count('error'))
    socket.on('message', () => count('answered'))
    socket.once('open', () => {
      for (let i = 0; i < 1000; i++) socket.send('{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo"}')
      setTimeout(() => socket.terminate(), 300)
    })
    await closed(socket)
  },
}

async function flood(task: Task, lane: number): Promise<void> {
  for (let round = lane; ; round += LANES) {
    try {
      await FLOODS[task.kind]?.(task, round)
    } catch {
      count('failed')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

process.on('message', (text: string) => {
  // The cast: the benchmark sends it.
  const task = JSON.parse(text) as Task
  for (let lane = 0; lane < LANES; lane++) void flood(task, lane)
  setInterval(() => Object.keys(counts).length > 0 && process.send?.(counts), 100)
})
process.once('disconnect', () => process.exit())
