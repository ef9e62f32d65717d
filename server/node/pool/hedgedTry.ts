// Runs work on one server, and also on a second one when the first is unusually slow.

import { LiteError } from '../liteErrors.ts'
import type { LiteServer } from '../liteServer.ts'
import type { Clock } from '../systemClock.ts'
import type { Hedging } from './hedging.ts'
import type { PoolMember } from './poolMember.ts'
import { ServerTry } from './serverTry.ts'
import type { VerbCall } from './verbs.ts'

/** A server that was silent for so long, while another one has answered, has failed. */
const SILENT_MS = 1_000

export interface HedgedWork<T> {
  readonly clock: Clock
  readonly hedging: Hedging
  /** It has begun. */
  readonly first: ServerTry<T>
  /** On the clock: no answer is waited for beyond it once one server has failed. */
  readonly deadline: number
  /** Another server; null when there is none. */
  second(): Promise<PoolMember | null>
  work(server: LiteServer): Promise<T>
}

/** Answers of other kinds may be large, and take long to come or to be read. */
const isPrompt = ({ kind, options }: VerbCall): boolean =>
  (kind === 'small' || kind === 'head') && options.waitSeqno === undefined

function blame({ member, open }: ServerTry<unknown>, now: number): void {
  const silent = open.find(({ call, begun, isHeard }) => !isHeard && isPrompt(call) && now - begun >= SILENT_MS)
  if (silent === undefined) return
  const ms = Math.round(now - silent.begun)
  member.score.add(1)
  member.score.note(new LiteError('timeout', `${member.address.name} did not answer ${silent.call.verb} for ${ms} ms`))
}

/** Within the budget, which loses nothing where there is no other server. */
async function another(hedging: Hedging, second: () => Promise<PoolMember | null>): Promise<PoolMember | null> {
  if (!hedging.take()) return null
  const member = await second()
  if (member === null) hedging.giveBack()
  return member
}

/** Those that have ended, in this order, up to the first with a value. */
export async function hedgedTry<T>({
  clock,
  hedging,
  first,
  deadline,
  second,
  work,
}: HedgedWork<T>): Promise<readonly ServerTry<T>[]> {
  let other: ServerTry<T> | null = null
  let cancelDeadline = (): void => undefined
  try {
    await new Promise<void>((resolve) => first.onNews(resolve))
    if (first.result !== null) return [first]
    const own = first.ended()
    const member = await another(hedging, second)
    if (member === null) return [await own]
    other = new ServerTry<T>(member, hedging)
    const running = other.ended()
    other.begin(work)
    const quicker = await Promise.race([own, running])
    if (quicker.result !== null && 'value' in quicker.result) {
      if (quicker !== first) blame(first, clock.now())
      return [quicker]
    }
    const tooLate = new Promise<null>((resolve) => {
      cancelDeadline = clock.after(Math.max(0, deadline - clock.now()), () => resolve(null))
    })
    const slower = await Promise.race([quicker === first ? running : own, tooLate])
    return slower === null ? [quicker] : [quicker, slower]
  } finally {
    cancelDeadline()
    first.end()
    other?.end()
  }
}
