// A load generator lean enough not to be what is measured: raw sockets, one request at a time on each, replies cut by
// their Content-Length.

import { connect } from 'node:net'

export interface Load {
  readonly port: number
  /** One whole HTTP request, or what makes the next one. */
  readonly request: string | (() => string)
  readonly connections: number
  readonly ms: number
  /** Sleep while there is nothing to do, and leave the core to a server that has more threads than one. */
  readonly restful?: boolean
  /** What every answer has and no refusal; null where the status says enough. */
  readonly holds?: string | null
  /** Called with the milliseconds of each answer. */
  readonly onAnswer?: (ms: number) => void
}

const lengthHeader = Buffer.from('content-length: ')
/** In every answer of every dialect, and in no refusal. */
const RESULT = '"result":'

/** Whole size of the reply that starts `bytes`, or 0 when its head is not complete yet. */
function replySize(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return 0
  const head = bytes.subarray(0, end).toString('latin1').toLowerCase()
  const at = head.indexOf(lengthHeader.toString())
  return end + 4 + (at < 0 ? 0 : Number.parseInt(head.slice(at + lengthHeader.length), 10))
}

/** Requests answered per second. Rejects when a reply is not 200, or not a result. */
export function load(options: Load): Promise<number> {
  const { port, request, connections, ms, restful = false, holds = RESULT, onAnswer } = options
  const bytes = typeof request === 'string' ? Buffer.from(request) : null
  const next = (): Buffer | string => bytes ?? (request as () => string)()
  return new Promise((resolve, reject) => {
    let answered = 0
    let open = connections
    const start = performance.now()
    const drive = () => {
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let have = 0
      let need = 0
      let parts: Buffer[] = []
      let requested = 0
      const send = () => {
        requested = performance.now()
        socket.write(next())
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        have += chunk.length
        if (need === 0) {
          parts.push(chunk)
          const whole = parts.length === 1 ? chunk : Buffer.concat(parts)
          need = replySize(whole)
          const isAnswer = whole.toString('latin1', 9, 12) === '200' && (holds === null || whole.includes(holds))
          // What was received of a long reply shows its beginning.
          if (need > 0 && !isAnswer) reject(new Error(whole.toString('utf8', 0, 400)))
        }
        if (need === 0 || have < need) return
        have = 0
        need = 0
        parts = []
        answered++
        onAnswer?.(performance.now() - requested)
        if (performance.now() - start < ms) send()
        else socket.destroy()
      })
      socket.on('close', () => {
        if (--open === 0) resolve((answered * 1000) / (performance.now() - start))
      })
    }
    for (let i = 0; i < connections; i++) drive()
    // Never asleep: waking a process is charged to the one who writes to it, and only the slower server would be charged.
    const stayAwake = () => {
      if (open > 0) setImmediate(stayAwake)
    }
    if (!restful) stayAwake()
  })
}

/** V8 takes so many calls of one kind to compile what they run: until then each costs two to three times as much. */
export const CALLS_TO_WARM = 8_000
/** A step, and the most there is time for. */
const STEP_MS = 500
const MOST_MS = 30_000

/** Warms up a number of processes, each of which compiles by itself: it takes calls, whatever their time. */
export async function warmUp(
  options: Omit<Load, 'ms' | 'onAnswer'>,
  processes: number,
  mostMs: number = MOST_MS,
): Promise<void> {
  const began = performance.now()
  let answered = 0
  while (answered < CALLS_TO_WARM * processes && performance.now() - began < mostMs)
    await load({ ...options, ms: STEP_MS, onAnswer: () => answered++ })
}
