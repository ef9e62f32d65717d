// Readers that come back by themselves when their stream breaks, each in its own way, and note all they hear.

import { once, setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type StreamType, stream } from '../../client/ws.ts'
import { ask } from './calls.ts'
import type { Frame } from './streams.ts'

export interface Follower {
  readonly heard: readonly Frame[]
  /** How often it began. */
  starts(): number
}

interface Where {
  /** The service may be another process each time. */
  readonly url: () => string
  readonly wish: { readonly types: readonly StreamType[]; readonly addresses: readonly string[] }
}

const PAUSE_MS = 100

type Listen = (heard: (frame: Frame) => void, cursor: string | undefined, signal: AbortSignal) => Promise<void>

function follow(listen: Listen): Follower {
  const heard: Frame[] = []
  const end = new AbortController()
  // Each attempt listens to it.
  setMaxListeners(0, end.signal)
  let starts = 0
  const running = (async () => {
    while (!end.signal.aborted) {
      starts++
      const cursor = heard.findLast((frame) => typeof frame.cursor === 'string')?.cursor as string | undefined
      await listen((frame) => void heard.push(frame), cursor, end.signal).catch(() => undefined)
      await sleep(PAUSE_MS, undefined, { signal: end.signal }).catch(() => undefined)
    }
  })()
  onTestFinished(async () => {
    end.abort()
    await running
  })
  return { heard, starts: () => starts }
}

/** By the client of the package, which resumes by itself. */
const byClient = ({ url, wish }: Where): Follower =>
  follow(async (hear, cursor, signal) => {
    const after = cursor === undefined ? {} : { after: cursor }
    for await (const one of stream({ url: url(), ...wish, ...after, signal })) hear(one)
  })

/** By server-sent events and the header that browsers have for it. */
const byHeader = ({ url, wish }: Where): Follower =>
  follow(async (hear, cursor, signal) => {
    const headers = cursor === undefined ? {} : { 'Last-Event-ID': cursor }
    const body = JSON.stringify(wish)
    const reply = await fetch(`${url()}/api/streaming/v2/sse`, { method: 'POST', headers, body, signal })
    if (reply.status !== 200 || reply.body === null) return
    let rest = ''
    for await (const text of reply.body.pipeThrough(new TextDecoderStream())) {
      rest += text
      for (let split = rest.indexOf('\n\n'); split >= 0; split = rest.indexOf('\n\n')) {
        const [, id, data] = /^id: (.*)\nevent: event\ndata: (.*)$/.exec(rest.slice(0, split)) ?? []
        if (data !== undefined) hear({ ...JSON.parse(data), cursor: id })
        rest = rest.slice(split + 2)
      }
    }
  })

const bySocket = (path: string, request: (wish: object) => object, noticeIn: (frame: Frame) => unknown) =>
  function follower({ url, wish }: Where): Follower {
    return follow(async (hear, cursor, signal) => {
      const socket = new WebSocket(url().replace(/^http/, 'ws') + path, { signal })
      socket.on('error', () => undefined)
      const closed = once(socket, 'close')
      socket.on('open', () => socket.send(JSON.stringify(request({ ...wish, after: cursor ?? 'now' }))))
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data))
        if (frame.error !== undefined) return socket.close()
        const notice = noticeIn(frame) as Frame | undefined
        if (notice?.type !== undefined) hear(notice)
      })
      signal.addEventListener('abort', () => socket.terminate())
      await closed
    })
  }

const byOperations = bySocket(
  '/api/streaming/v2/ws',
  (wish) => ({ operation: 'subscribe', id: '1', ...wish }),
  (frame) => frame,
)

const byCalls = bySocket(
  '/jsonRPC',
  (params) => ({ jsonrpc: '2.0', id: 1, method: 'stream.subscribe', params }),
  ({ params }) => (params as Frame | undefined)?.result,
)

const KINDS = [byClient, byHeader, byOperations, byCalls]

/** So many readers, of each kind about as many. */
export const followers = (count: number, where: Where): readonly Follower[] =>
  Array.from({ length: count }, (_, i) => (KINDS[i % KINDS.length] ?? byClient)(where))

const listOf = (frame: Frame, name: string) => (frame[name] as readonly Frame[] | undefined) ?? []

const masterOf = ({ block }: Frame): Frame | undefined =>
  (block as Frame | undefined)?.workchain === -1 ? (block as Frame) : undefined

/** Seqno of the first masterchain block that was heard. */
const firstOf = ({ heard }: Follower): number => Number(heard.map(masterOf).find((block) => block !== undefined)?.seqno)

/** Whether a reader has heard of a masterchain block. */
export const hasHeard = ({ heard }: Follower, seqno: number): boolean =>
  heard.some((frame) => masterOf(frame)?.seqno === seqno)

/**
 * Compares what readers of transactions and blocks have heard with what v3 has from their first block on: the same, each once,
 * and blocks in order. Returns the least number of blocks one of them has heard.
 */
export async function expectWhatV3Has(all: readonly Follower[], url: string, addresses: readonly string[]) {
  const where = { url }
  const blocks: Frame[] = []
  for (let size = -1; size !== blocks.length; ) {
    size = blocks.length
    const { body } = await ask(where, `/api/v3/blocks?workchain=-1&limit=500&offset=${size}&sort=asc`)
    blocks.push(...(body.blocks as readonly Frame[]))
  }
  const transactions: Frame[] = []
  const accounts = addresses.map((one) => `account=${encodeURIComponent(one)}`).join('&')
  for (let size = -1; size !== transactions.length; ) {
    size = transactions.length
    const { body } = await ask(where, `/api/v3/transactions?${accounts}&limit=500&offset=${size}&sort=asc`)
    transactions.push(...(body.transactions as readonly Frame[]))
  }
  const hashOf = ({ seqno, root_hash }: Frame) => `${seqno} ${root_hash}`
  let least = Number.POSITIVE_INFINITY
  for (const one of all) {
    const first = firstOf(one)
    // Transactions of a block come before it.
    const wanted = transactions.filter(({ mc_block_seqno }) => Number(mc_block_seqno) > first)
    const ofFirst = new Set(transactions.filter((row) => Number(row.mc_block_seqno) <= first).map(({ hash }) => hash))
    const heard = one.heard.flatMap((frame) => listOf(frame, 'transactions'))
    const sorted = (rows: readonly Frame[]) => rows.map(({ hash }) => String(hash)).sort()
    expect(sorted(heard.filter(({ hash }) => !ofFirst.has(hash)))).toEqual(sorted(wanted))
    const masters = one.heard.map(masterOf).filter((block) => block !== undefined)
    expect(masters.map(hashOf)).toEqual(blocks.filter(({ seqno }) => Number(seqno) >= first).map(hashOf))
    least = Math.min(least, masters.length)
  }
  return { blocks: least, transactions: transactions.length }
}
