// The server of the next call. Where all are at their limits, calls wait in line.

import { noteWait } from '../../fairness/index.ts'
import type { LiteOptions } from '../liteServer.ts'
import { type Clock, sleepOn } from '../systemClock.ts'
import type { Availability } from './availability.ts'
import {
  choose,
  freeMember,
  isWithinLimit,
  type KnownHeads,
  type MemberChoice,
  type ServerNeeds,
  waitFor,
} from './choice.ts'
import { PoolMember } from './poolMember.ts'
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
  /** Calls per second of each server; 0 is no limit. */
  readonly perSecond: number
}

/** For so long the call steps out of the line: servers it has tried are free for those behind it, and no other one is. */
interface Aside {
  readonly ms: number
}

const NONE: ReadonlySet<PoolMember> = new Set()

export class NextServer {
  readonly #parts: Parts
  readonly #line: WaitingLine

  constructor(parts: Parts) {
    this.#parts = parts
    this.#line = new WaitingLine(parts.clock)
  }

  /** For a first try, with a slot reserved; null when the call has to wait. */
  takeFree(needs: CallNeeds): PoolMember | null {
    const { heads, random } = this.#parts
    const member = this.#line.isEmpty ? freeMember(this.#open(NONE), needs, heads, random) : null
    if (member !== null) this.#reserve(member, needs)
    return member
  }

  /** With a slot reserved; null when there is none before the deadline. */
  async take(tried: ReadonlySet<PoolMember>, needs: CallNeeds, deadline: number): Promise<PoolMember | null> {
    const { clock } = this.#parts
    const isAgain = tried.size > 0
    if (isAgain && this.#open(tried).length === 0) return null
    // What cannot wait takes what is free: a second server for a slow answer, more servers for a message.
    if (this.#line.isEmpty || (isAgain && deadline <= clock.now())) {
      const choice = this.#choice(tried, needs)
      if (choice.kind === 'use') return choice.member
    }
    const { signal, share } = needs
    const over = noteWait(signal, () => this.limitText)
    try {
      for (;;) {
        const ms = deadline - clock.now()
        if (ms <= 0) return null
        const found = await this.#line.first({ ms, signal, share }, () => this.#wait(tried, needs, deadline))
        if (found === null || found instanceof PoolMember) return found
        await sleepOn(clock, found.ms, signal)
      }
    } finally {
      over()
    }
  }

  /** The configured limit, where calls that wait do so because of it; otherwise null. */
  get limitText(): string | null {
    const { perSecond } = this.#parts
    if (perSecond === 0 || !this.#open(NONE).some(isWithinLimit)) return null
    return `calls wait for the lite servers, which get at most ${perSecond} per second each (--liteserver-rps)`
  }

  /** Further calls of a server that was taken. */
  charge(needs: CallNeeds, calls: number): void {
    this.#line.charge(needs, calls)
  }

  #open(tried: ReadonlySet<PoolMember>): readonly PoolMember[] {
    const members = this.#parts.members()
    const isOpen = (one: PoolMember): boolean => one.isUsable && !tried.has(one)
    return members.every(isOpen) ? members : members.filter(isOpen)
  }

  /** A server that is used counts as its caller's, also for a call that another server has refused. */
  #reserve(member: PoolMember, needs: CallNeeds): void {
    member.take()
    this.#line.charge(needs, 1)
  }

  #choice(tried: ReadonlySet<PoolMember>, needs: CallNeeds): MemberChoice {
    const { heads, random } = this.#parts
    const choice = choose(this.#open(tried), needs, heads, random)
    if (choice.kind === 'use') this.#reserve(choice.member, needs)
    return choice
  }

  async #wait(tried: ReadonlySet<PoolMember>, needs: CallNeeds, deadline: number): Promise<PoolMember | Aside | null> {
    const { clock, availability, signal } = this.#parts
    while (!signal.aborted && needs.signal?.aborted !== true) {
      const choice = this.#choice(tried, needs)
      if (choice.kind === 'use') return choice.member
      if (choice.kind === 'none') {
        if (tried.size > 0 || !(await availability.change(Math.min(deadline, availability.patience)))) return null
      } else {
        if (clock.now() + choice.ms > deadline) return null
        const othersMs = Math.min(...[...tried].filter(({ isUsable }) => isUsable).map(waitFor))
        if (othersMs === 0) return { ms: choice.ms }
        await sleepOn(clock, Math.min(choice.ms, othersMs), needs.signal)
      }
    }
    return null
  }
}
