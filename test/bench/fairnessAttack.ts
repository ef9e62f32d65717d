// One attacker in a process of its own: does its worst until it is killed. Counts go to the parent once a second.

import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
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
      const [method, offset] = [['v3.traces', 'v3.transactions', 'v3.actions'][id % 3], lane + BATCHES * (round + id)]
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

const attacks: Record<Attack['kind'], () => void> = {
  flood,
  getMethods: () => void getMethods(),
  batches: () => {
    for (let lane = 0; lane < BATCHES; lane++) void batches(lane)
  },
  idle,
  // The benchmark deploys the contract and sends its first message; after that the contract keeps sending by itself.
  messages: () => undefined,
  none: () => undefined,
}

process.send?.({ counts })
attacks[kind]()
report.ref()
