// Callers over HTTP that each make one request after the other, each request once: rate, delays, and the processor time of
// the service, with all its processes.

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { processorOf } from './processor.ts'

/** Milliseconds of processor in a second of a process that idles. */
const SETTLED_MS = 150

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number
  readonly p99: number
  readonly slowest: number
}

export interface Sample extends Percentiles {
  readonly rate: number
  /** Milliseconds of processor per call. */
  readonly cpu: number
  readonly failed: number
}

export interface TimedLoad {
  readonly port: number
  /** Of the service. */
  readonly pid: number
  readonly callers: number
  readonly ms: number
  /** The next request; null when there are no more, which ends the load early. */
  readonly next: () => string | null
}

/**
 * Resolves when a process has next to nothing to do for so many seconds: an index may bring itself up to date after a start, and
 * pauses in between.
 */
export async function settled(pid: number, seconds = 1): Promise<void> {
  for (let before = processorOf(pid), still = 0; still < seconds; ) {
    await pause(1000)
    const now = processorOf(pid)
    still = now - before > SETTLED_MS ? 0 : still + 1
    before = now
  }
}

interface Reply {
  readonly ms: number
  readonly ok: boolean
}

/** One keep-alive connection; resolves with what came of each request when the time is over. */
function caller({ port, next }: TimedLoad, until: number): Promise<Reply[]> {
  return new Promise((resolve, reject) => {
    const replies: Reply[] = []
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    let have: Buffer = Buffer.alloc(0)
    let need = 0
    let began = 0
    let ok = false
    const send = (): void => {
      const request = performance.now() < until ? next() : null
      if (request === null) {
        resolve(replies)
        socket.destroy()
        return
      }
      began = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the service closed a connection')))
    socket.on('data', (chunk: Buffer) => {
      have = have.length === 0 ? chunk : Buffer.concat([have, chunk])
      if (need === 0) {
        const end = have.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = have.toString('latin1', 0, end)
        need = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])
        ok = head.startsWith('HTTP/1.1 200')
      }
      if (have.length < need) return
      replies.push({ ms: performance.now() - began, ok })
      ;[have, need] = [Buffer.alloc(0), 0]
      send()
    })
  })
}

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), slowest: at(1) }
}

export async function timedLoad(load: TimedLoad): Promise<Sample> {
  const began = performance.now()
  const before = processorOf(load.pid)
  const all = (await Promise.all(Array.from({ length: load.callers }, () => caller(load, began + load.ms)))).flat()
  const seconds = (performance.now() - began) / 1000
  return {
    rate: all.length / seconds,
    ...percentilesOf(all.map(({ ms }) => ms)),
    cpu: (processorOf(load.pid) - before) / all.length,
    failed: all.filter(({ ok }) => !ok).length,
  }
}
