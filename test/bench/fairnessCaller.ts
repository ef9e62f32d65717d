// The caller whose waiting is measured, in a process of its own: three kinds of calls with its own key, each at a steady
// pace, and with them the health of the service and how far its index is behind.

import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Measured, Measuring } from './fairness.ts'

const { port, key, wallet, seconds } = JSON.parse(process.argv[2] ?? '') as Measuring
/** What takes longer, or is refused, is counted as having taken this long. */
const MOST_MS = 20_000

const measured: Record<string, number[]> = {}
const failed: Record<string, number> = {}
let running = true

function ask(agent: Agent, path: string, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) }
    const method = body === '' ? 'GET' : 'POST'
    const sent = request({ port, path, agent, method, headers, host: '127.0.0.1', timeout: MOST_MS }, (reply) => {
      let text = ''
      reply.on('data', (chunk) => {
        text += chunk
      })
      reply.on('end', () =>
        reply.statusCode === 200 ? resolve(text) : reject(new Error(`${reply.statusCode} ${text.slice(0, 200)}`)),
      )
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** One call after the other, `pace` milliseconds apart at least. */
async function steadily(name: string, pace: number, send: (agent: Agent, round: number) => Promise<string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  measured[name] = times
  for (let round = 0; running; round++) {
    const began = performance.now()
    const refused = await send(agent, round).then(
      () => false,
      (error: unknown) => {
        failed[`${name}: ${String(error)}`] = (failed[`${name}: ${String(error)}`] ?? 0) + 1
        // It answers 503 for a while after the loop was late, and that is an answer.
        return name !== 'health'
      },
    )
    const took = performance.now() - began
    times.push(refused ? MOST_MS : took)
    if (took < pace) await pause(pace - took)
  }
  agent.destroy()
}

interface Head {
  readonly result?: { readonly last: { readonly seqno: number } }
  readonly last?: { readonly seqno: number }
}

/** How long after a block could be read of the chain it can be read of the index. */
async function lag(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  measured.lag = times
  const seqno = async (path: string): Promise<number> => {
    const head = JSON.parse(await ask(agent, path).catch(() => '{}')) as Head
    return (head.result ?? head).last?.seqno ?? -1
  }
  while (running) {
    const chain = await seqno('/api/v2/getMasterchainInfo')
    const began = performance.now()
    while (running && (await seqno('/api/v3/masterchainInfo')) < chain) await pause(10)
    // A head that could not be read shows nothing.
    if (chain >= 0) times.push(performance.now() - began)
    await pause(100)
  }
  agent.destroy()
}

const address = encodeURIComponent(wallet)

/** With an argument that is new, so that no answer is a cached one. */
function getMethod(agent: Agent, round: number): Promise<string> {
  const stack = [0, Date.now() * 1000 + (round % 1000)].map((value) => ['num', String(value)])
  const params = { address: wallet, method: 'is_plugin_installed', stack }
  const call = { jsonrpc: '2.0', id: round, method: 'runGetMethod', params }
  return ask(agent, '/api/v2/jsonRPC', JSON.stringify(call))
}

const page = (agent: Agent, round: number): Promise<string> =>
  ask(agent, `/api/v3/transactions?limit=20&offset=${round % 50}&end_utime=${4_000_000_000 - round}`)

const all = Promise.all([
  steadily('cheap', 20, (agent) => ask(agent, `/api/v2/getAddressInformation?address=${address}`)),
  steadily('getMethod', 50, getMethod),
  steadily('page', 50, page),
  steadily('health', 100, (agent) => ask(agent, '/healthz')),
  lag(),
])
setTimeout(() => {
  running = false
}, seconds * 1000)
await all
process.send?.({ times: measured, failed } satisfies Measured)
process.disconnect()
