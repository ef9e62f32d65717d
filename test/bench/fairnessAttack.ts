// One attacker in a process of its own: does its worst until it is killed. Counts go to the parent once a second.

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import {
  type BlockIdExt,
  configParts,
  connectLiteServer,
  type LiteServer,
  MASTERCHAIN,
  parseNetworkConfig,
  runParts,
  type ServerAddress,
  WHOLE_SHARD,
} from '../../server/node/index.ts'
import type { Attack } from './fairness.ts'

const { kind, port, key, target } = JSON.parse(process.argv[2] ?? '') as Attack
const url = `http://127.0.0.1:${port}/jsonRPC`
const counts: Record<string, number> = {}
const count = (what: string): void => {
  counts[what] = (counts[what] ?? 0) + 1
}
const report = setInterval(() => process.send?.({ counts }), 1000)
process.once('disconnect', () => process.exit())

const socketTo = (): WebSocket => new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })

/** Frames at full speed; a socket that is closed is opened again. */
function flood(): void {
  const socket = socketTo()
  socket.on('error', () => undefined)
  socket.on('message', () => count('answered'))
  socket.on('close', (code) => {
    count(`closed ${code}`)
    setTimeout(flood, 20)
  })
  socket.on('open', () => {
    count('opened')
    const more = (): void => {
      if (socket.readyState !== WebSocket.OPEN) return
      for (let i = 0; i < 1000 && socket.bufferedAmount < 1_000_000; i++) socket.send('1')
      count('thousand frames')
      setImmediate(more)
    }
    more()
  })
}

async function call(body: unknown): Promise<void> {
  try {
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await reply.text()
    count(text.includes('"result"') ? 'answered' : `refused ${reply.status}`)
  } catch {
    count('failed')
  }
}

/** As many as the plan lets through, without waiting for the answers. */
async function getMethods(): Promise<void> {
  for (let id = 0; ; id++) {
    void call({ jsonrpc: '2.0', id, method: 'runGetMethod', params: { address: target, method: id + 100, stack: [] } })
    await pause(100)
  }
}

const ITEMS = 100
const BATCHES = 20

/** The heaviest pages, each of them another one. */
async function batches(lane: number): Promise<void> {
  for (let round = 0; ; round++) {
    const item = (id: number) => {
      const method = ['v3.traces', 'v3.transactions', 'v3.actions'][id % 3]
      const offset = lane + BATCHES * (round + id)
      return {
        jsonrpc: '2.0',
        id,
        method,
        params: { limit: 1000, offset: offset % 500, end_utime: 4_000_000_000 - id },
      }
    }
    await call(Array.from({ length: ITEMS }, (_, id) => item(id)))
    count('batches')
  }
}

const IDLE = 1000

function idle(): void {
  for (let i = 0; i < IDLE; i++) {
    const socket = socketTo()
    socket.on('open', () => count('opened'))
    socket.on('error', () => count('refused'))
    socket.on('close', () => count('closed'))
  }
}

async function liteServer(): Promise<ServerAddress> {
  const text = await (await fetch(`http://127.0.0.1:${port}/global.config.json`)).text()
  const [server] = parseNetworkConfig(text, url).servers
  if (server === undefined) throw new Error('no lite port')
  return server
}

/** Opened ten at a time: half of them shake hands, the others send half a hello or nothing; all leave at once. */
async function liteSockets(): Promise<void> {
  const server = await liteServer()
  for (;;) {
    for (let i = 0; i < 10; i++) {
      const ended = i % 2 === 0 ? shakeHands(server) : leaveEarly(server, i * 20)
      ended.then(
        () => count('opened'),
        () => count('refused'),
      )
    }
    await pause(100)
  }
}

async function shakeHands(server: ServerAddress): Promise<void> {
  const lite = await connectLiteServer(server, new AbortController().signal)
  lite.close()
}

const leaveEarly = (server: ServerAddress, bytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, server.host, () => {
      socket.write(new Uint8Array(bytes))
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })

const LITE_CLIENTS = 60
const LITE_AT_ONCE = 16
const ELECTOR = { workchain: MASTERCHAIN, hash: new Uint8Array(32).fill(0x33) }
const MASTER = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
const ALL_RUN_PARTS = runParts.proof | runParts.stateProof | runParts.result

/** Queries whose answers cost the server most: long proofs, large bags of cells, runs of code. */
const DEAR: readonly ((lite: LiteServer, head: BlockIdExt, round: number, first: BlockIdExt) => Promise<unknown>)[] = [
  (lite, head) => lite.config(head, [], configParts.previousBlocks | configParts.accountsRoot),
  (lite, head, _, first) => lite.blockProof(first, head),
  (lite, head, round) => lite.lookupWithProof({ ...MASTER, seqno: 1 + (round % head.seqno) }, head),
  (lite, head) => lite.accountState(head, ELECTOR),
  (lite, head, round) =>
    lite.runMethod(head, { account: ELECTOR, methodId: 85143 + round, params: new Uint8Array(), mode: ALL_RUN_PARTS }),
  (lite, head) => lite.listTransactionsExt(head, { count: 256, wantProof: true }),
]

async function liteQueries(): Promise<void> {
  const server = await liteServer()
  for (let i = 0; i < LITE_CLIENTS; i++) {
    const lite = await connectLiteServer(server, new AbortController().signal)
    for (let lane = 0; lane < LITE_AT_ONCE; lane++) void askWithoutEnd(lite, i + lane)
  }
}

async function askWithoutEnd(lite: LiteServer, first: number): Promise<void> {
  for (let round = first; ; round++) {
    try {
      const { last, init } = await lite.masterchainInfo()
      await DEAR[round % DEAR.length]?.(lite, last, round, { ...MASTER, ...init, seqno: 0 })
      count(`answered ${round % DEAR.length}`)
    } catch (error) {
      count(error instanceof Error ? error.message.slice(0, 60) : 'failed')
      await pause(10)
    }
  }
}

const attacks: Record<Attack['kind'], () => void> = {
  flood,
  getMethods: () => void getMethods(),
  batches: () => {
    for (let lane = 0; lane < BATCHES; lane++) void batches(lane)
  },
  idle,
  // The benchmark deploys the contract and sends its first message; after that the contract keeps sending by itself.
  messages: () => undefined,
  liteSockets: () => void liteSockets(),
  liteQueries: () => void liteQueries(),
  none: () => undefined,
}

process.send?.({ counts })
attacks[kind]()
report.ref()
