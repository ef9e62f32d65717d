// The callers of the benchmark `soak`: readers over HTTP, sockets that come and go, and wallets that send, each at a steady
// pace, until the process is killed. Counts go to the parent once a second.

import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createClient } from '../../client/index.ts'
import { writeBoc } from '../../server/cell/index.ts'
import { Crowd } from '../setup/load.ts'
import type { SoakCounts, SoakOrder } from './soak.ts'
import { untilPlayed } from './untilPlayed.ts'

const { port, key } = JSON.parse(process.argv[2] ?? '') as SoakOrder
const GLOBAL_ID = -3
const READERS = 8
const SOCKETS = 4
const WALLETS = 30
/** Milliseconds between the calls of one reader, the frames of one socket, and two messages. */
const PACE = { read: 20, frame: 20, write: 100 }
const TRIES = 10
/** Frames after which a socket is closed and another one opened. */
const FRAMES = 500
const PAGE = 20

const url = `http://127.0.0.1:${port}`
const client = createClient({ url, apiKey: key, timeoutMs: 60_000 })
const counts = { reads: 0, writes: 0, frames: 0, failed: 0 }
const crowd = new Crowd(GLOBAL_ID, { transactions: 0, seed: 1, wallets: WALLETS })
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const accounts = crowd.owners.map(({ address }) => `0:${Buffer.from(address.hash).toString('hex')}`)
const pick = (): string => accounts[Math.floor(Math.random() * accounts.length)] ?? ''
const page = () => ({ limit: PAGE, offset: Math.floor(Math.random() * 100) })

async function failing(work: () => Promise<unknown>, what: 'reads' | 'writes'): Promise<void> {
  await work().then(
    () => counts[what]++,
    () => counts.failed++,
  )
}

const reads: readonly (() => Promise<unknown>)[] = [
  () => client.getAddressInformation({ address: pick() }),
  () => client.getTransactions({ address: pick(), limit: 10 }),
  () => client.runGetMethod({ address: pick(), method: 'seqno', stack: [] }),
  () => client.v3.transactions({ account: [pick()], ...page() }),
  () => client.v3.transactions(page()),
  () => client.v3.traces(page()),
  () => client.v3.actions(page()),
  () => client.v3.jetton.transfers({ owner_address: [pick()], ...page() }),
  () => client.v3.jetton.wallets({ owner_address: [pick()] }),
  () => client.v3.nft.items({ owner_address: [pick()], ...page() }),
  () => Promise.all(accounts.slice(0, PAGE).map((address) => client.getAddressBalance({ address }))),
]

async function reader(first: number): Promise<void> {
  for (let i = first; ; i++) {
    await failing(reads[i % reads.length] ?? (() => Promise.resolve()), 'reads')
    await pause(PACE.read)
  }
}

async function socket(): Promise<void> {
  const open = new WebSocket(`${url.replace('http', 'ws')}/jsonRPC`, { headers: { 'x-api-key': key } })
  open.on('error', () => counts.failed++)
  open.on('message', (frame: Buffer) => counts[frame.includes('"result"') ? 'frames' : 'failed']++)
  await new Promise((resolve) => open.once('open', resolve).once('close', resolve))
  for (let id = 0; id < FRAMES && open.readyState === WebSocket.OPEN; id++) {
    open.send(
      JSON.stringify({ jsonrpc: '2.0', id, method: 'v3.transactions', params: { account: [pick()], limit: 5 } }),
    )
    await pause(PACE.frame)
  }
  open.close()
}

async function sockets(): Promise<void> {
  for (;;) {
    await socket()
    await pause(PACE.frame)
  }
}

async function writer(): Promise<void> {
  for (;;)
    for (const message of crowd.round()) {
      await failing(() => client.sendBocReturnHash({ boc: textOf(message) }), 'writes')
      await pause(PACE.write)
    }
}

/** Until it is answered: on a busy machine a call can meet the service's own timeout. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await call()
    } catch (error) {
      if (tries === TRIES) throw error
    }
}

// The chain is the demo's alone until that is over.
await answered(() => untilPlayed(client))
for (const [i, { code, data }] of crowd.owners.entries())
  await answered(() =>
    client.dev.setAccount({
      address: accounts[i] ?? '',
      balance: String(10n ** 14n),
      code: textOf(writeBoc(code)),
      data: textOf(writeBoc(data)),
    }),
  )
for (const message of crowd.beginnings())
  await failing(() => client.sendBocReturnHash({ boc: textOf(message) }), 'writes')
setInterval(() => process.send?.(counts satisfies SoakCounts), 1000)
process.once('disconnect', () => process.exit())
await Promise.all([
  ...Array.from({ length: READERS }, (_, i) => reader(i)),
  ...Array.from({ length: SOCKETS }, sockets),
  writer(),
])
