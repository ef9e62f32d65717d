// The readers of the benchmark `stream`, in a process of their own: sockets that subscribe and note when each frame came.

import { WebSocket } from 'ws'

export interface ReadersOrder {
  readonly url: string
  readonly types: readonly string[]
  /** Addresses of each socket. */
  readonly subscriptions: readonly (readonly string[])[]
}

/** Blocks of the frames and when they came, in milliseconds of the machine's steady clock. */
export interface Noted {
  readonly seqnos: readonly number[]
  readonly times: readonly number[]
  /** Why sockets were closed, each with its code. */
  readonly closed: readonly string[]
}

/** The same clock in all processes of a machine. */
export const steadyMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000

/** Sockets that are being opened at once. */
const OPENING = 50

/** The block that a frame belongs to, by its cursor. */
function seqnoOf(frame: Buffer): number {
  const at = frame.lastIndexOf('"cursor":"')
  if (at < 0) return -1
  const cursor = Buffer.from(frame.toString('latin1', at + 10, frame.length - 2), 'base64url').toString('latin1')
  return Number(cursor.slice(0, cursor.indexOf(':')))
}

async function run({ url, types, subscriptions }: ReadersOrder): Promise<void> {
  const seqnos: number[] = []
  const times: number[] = []
  const closed: string[] = []
  const open = (addresses: readonly string[]) =>
    new Promise<void>((resolve, reject) => {
      const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/streaming/v2/ws`, { perMessageDeflate: false })
      let isSubscribed = false
      socket.on('open', () => socket.send(JSON.stringify({ operation: 'subscribe', id: '1', types, addresses })))
      socket.on('error', reject)
      socket.on('close', (code, reason) => closed.push(`${code} ${reason}`))
      socket.on('message', (data) => {
        const frame = data as Buffer
        if (isSubscribed) {
          times.push(steadyMs())
          seqnos.push(seqnoOf(frame))
          return
        }
        isSubscribed = true
        if (frame.includes('"subscribed"')) resolve()
        else reject(new Error(frame.toString()))
      })
    })
  const waiting = [...subscriptions]
  await Promise.all(
    Array.from({ length: OPENING }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await open(next)
    }),
  )
  process.send?.('ready')
  process.on('message', () => process.send?.({ seqnos: seqnos.splice(0), times: times.splice(0), closed }))
}

process.once('message', (order: ReadersOrder) => {
  run(order).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
