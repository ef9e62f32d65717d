// Runs work on one server, and also on a second one when the first is unusually slow.

import { LeanAbort } from '../../process/index.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteServer } from '../liteServer.ts'
import type { Clock } from '../systemClock.ts'
import type { Hedging } from './hedging.ts'
import type { PoolMember } from './poolMember.ts'
import type { CallWatch, VerbCall } from './verbs.ts'

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

/** A call whose answer has not begun to come. */
interface PendingCall {
  readonly call: VerbCall
  readonly at: number
}

/** Answers of other kinds may be large, and take long to come or to be read. */
const isPrompt = ({ kind, options }: VerbCall): boolean =>
  (kind === 'small' || kind === 'head') && options.waitSeqno === undefined

function blame(member: PoolMember, pending: readonly PendingCall[], now: number): void {
  const silent = pending.find(({ call, at }) => isPrompt(call) && now - at >= SILENT_MS)
  if (silent === undefined) return
  const ms = Math.round(now - silent.at)
  member.score.add(1)
  member.score.note(new LiteError('timeout', `${member.address.name} did not answer ${silent.call.verb} for ${ms} ms`))
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
  const begin = async (member: PoolMember, watch?: CallWatch): Promise<Try<T>> => {
    const begun = clock.now()
    const calls: VerbCall[] = []
    const onCall = (call: VerbCall): void => {
      calls.push(call)
      watch?.onCall(call)
    }
    const server = member.reading(end.signal, watch === undefined ? { onCall } : { ...watch, onCall })
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
  let isBegun = false
  let pending: readonly PendingCall[] = []
  try {
    const own = begin(first, {
      onCall(call) {
        pending = [...pending, { call, at: clock.now() }]
        const { kind, options } = call
        if (!isBegun && options.waitSeqno === undefined)
          cancelHedge = clock.after(hedging.called(kind), () => settle(null))
        isBegun = true
      },
      onAnswer(call) {
        pending = pending.filter((one) => one.call !== call)
      },
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
      if (quicker.member !== first) blame(first, pending, clock.now())
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
