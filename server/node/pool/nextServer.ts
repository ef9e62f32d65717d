// The server of the next call. Where all are at their limits, calls wait in line.

import type { LiteOptions } from '../liteServer.ts'
import { type Clock, sleepOn } from '../systemClock.ts'
import type { Availability } from './availability.ts'
import { choose, type KnownHeads, type MemberChoice, type ServerNeeds } from './choice.ts'
import type { PoolMember } from './poolMember.ts'
import { WaitingLine } from './waitingLine.ts'

type CallNeeds = ServerNeeds & Pick<LiteOptions, 'signal' | 'share'>

interface Parts {
  readonly clock: Clock
  readonly random: () => number
  readonly availability: Availability
  /** The end of the pool. */
  readonly signal: AbortSignal
  readonly members: () => readonly PoolMember[]
  readonly heads: () => KnownHeads
}

export class NextServer {
  readonly #parts: Parts
  readonly #line: WaitingLine

  constructor(parts: Parts) {
    this.#parts = parts
    this.#line = new WaitingLine(parts.clock)
  }

  /** With a slot reserved; null when there is none before the deadline. */
  async take(tried: ReadonlySet<PoolMember>, needs: CallNeeds, deadline: number): Promise<PoolMember | null> {
    // One that was refused elsewhere waits by itself: the servers left to it are others than those the line waits for.
    if (tried.size > 0) {
      const member = await this.#wait(tried, needs, deadline)
      // It counts as its caller's: one whose calls every server refuses would otherwise get three for one of the others.
      if (member !== null) this.#line.charge(needs, 1)
      return member
    }
    if (this.#line.isEmpty) {
      const choice = this.#choice(tried, needs)
      if (choice.kind === 'use') return choice.member
    }
    const { signal, share } = needs
    const ms = deadline - this.#parts.clock.now()
    return ms <= 0 ? null : await this.#line.first({ ms, signal, share }, () => this.#wait(tried, needs, deadline))
  }

  /** Further calls of a server that was taken. */
  charge(needs: CallNeeds, calls: number): void {
    this.#line.charge(needs, calls)
  }

  #choice(tried: ReadonlySet<PoolMember>, needs: ServerNeeds): MemberChoice {
    const { members, heads, random } = this.#parts
    const open = members().filter((one) => one.isUsable && !tried.has(one))
    const choice = choose(open, needs, heads(), random)
    if (choice.kind === 'use') choice.member.take()
    return choice
  }

  async #wait(tried: ReadonlySet<PoolMember>, needs: CallNeeds, deadline: number): Promise<PoolMember | null> {
    const { clock, availability, signal } = this.#parts
    while (!signal.aborted && needs.signal?.aborted !== true) {
      const choice = this.#choice(tried, needs)
      if (choice.kind === 'use') return choice.member
      if (choice.kind === 'none') {
        if (tried.size > 0 || !(await availability.change(Math.min(deadline, availability.patience)))) return null
      } else {
        if (clock.now() + choice.ms > deadline) return null
        await sleepOn(clock, choice.ms, needs.signal)
      }
    }
    return null
  }
}
