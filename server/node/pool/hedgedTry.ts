// Runs work on one server, and also on a second one when the first is unusually slow.

import { LeanAbort } from '../../process/index.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteServer } from '../liteServer.ts'
import type { Clock } from '../systemClock.ts'
import type { Hedging } from './hedging.ts'
import type { PoolMember } from './poolMember.ts'
import type { VerbCall } from './verbs.ts'

/** A server that was silent for so long, while another one has answered, has failed. */
const SILENT_MS = 1_000

export interface Try<T> {
  readonly member: PoolMember
  readonly result: { readonly value: T } | { readonly error: unknown }
  /** The last call that was made. */
  readonly call: VerbCall | null
  readonly calls: number
}

export interface HedgedWork<T> {
  readonly clock: Clock
  readonly hedging: Hedging
  readonly first: PoolMember
  /** On the clock: no answer is waited for beyond it once one server has failed. */
  readonly deadline: number
  /** Another server; null when there is none. */
  second(): Promise<PoolMember | null>
  work(server: LiteServer): Promise<T>
}

interface Asked {
  readonly call: VerbCall
  readonly at: number
}

/** Answers of other kinds may be large, and take long to come or to be read. */
function blame(member: PoolMember, asked: Asked | null, now: number): void {
  if (
    asked === null ||
    (asked.call.kind !== 'small' && asked.call.kind !== 'head') ||
    asked.call.options.waitSeqno !== undefined
  )
    return
  const ms = now - asked.at
  if (ms < SILENT_MS) return
  member.score.add(1)
  member.score.note(
    new LiteError('timeout', `${member.address.name} did not answer ${asked.call.verb} for ${Math.round(ms)} ms`),
  )
}

/** Results in the order they came, up to the first value. */
export async function hedgedTry<T>({
  clock,
  hedging,
  first,
  deadline,
  second,
  work,
}: HedgedWork<T>): Promise<readonly Try<T>[]> {
  const end = new LeanAbort()
  const begin = async (member: PoolMember, onCall?: (call: VerbCall, count: number) => void): Promise<Try<T>> => {
    const begun = clock.now()
    const calls: VerbCall[] = []
    const server = member.reading(end.signal, (call) => {
      const count = calls.push(call)
      onCall?.(call, count)
    })
    try {
      const value = await work(server)
      const [opening] = calls
      if (opening !== undefined) hedging.measured(opening.kind, clock.now() - begun)
      return { member, result: { value }, call: calls.at(-1) ?? null, calls: calls.length }
    } catch (error) {
      return { member, result: { error }, call: calls.at(-1) ?? null, calls: calls.length }
    } finally {
      if (calls.length === 0) member.giveUnused()
    }
  }
  let settle: (early: Try<T> | null) => void = () => undefined
  const answeredOrLate = new Promise<Try<T> | null>((resolve) => {
    settle = resolve
  })
  let cancelHedge = (): void => undefined
  let cancelDeadline = (): void => undefined
  let isDone = false
  let asked: Asked | null = null
  try {
    const own = begin(first, (call, count) => {
      asked = { call, at: clock.now() }
      const { kind, options } = call
      if (count === 1 && options.waitSeqno === undefined)
        cancelHedge = clock.after(hedging.called(kind), () => settle(null))
    })
    // It never rejects. Without `Promise.race`, whose promises every read would pay for.
    void own.then(settle)
    const early = await answeredOrLate
    // All calls of successful work have returned, and an abort would cost more than a small call.
    isDone = early !== null && 'value' in early.result
    if (early !== null) return [early]
    const other = hedging.take() ? await second() : null
    if (other === null) return [await own]
    const running = begin(other)
    const quicker = await Promise.race([own, running])
    if ('value' in quicker.result) {
      if (quicker.member !== first) blame(first, asked, clock.now())
      return [quicker]
    }
    const tooLate = new Promise<null>((resolve) => {
      cancelDeadline = clock.after(Math.max(0, deadline - clock.now()), () => resolve(null))
    })
    const slower = await Promise.race([quicker.member === first ? running : own, tooLate])
    return slower === null ? [quicker] : [quicker, slower]
  } finally {
    cancelHedge()
    cancelDeadline()
    if (!isDone) end.abort()
  }
}
