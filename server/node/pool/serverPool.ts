// Many lite servers as one: each call goes to one that is likely to answer, and to another when it does not.

import { aboutBlock } from '../aboutBlock.ts'
import { type BlockIdExt, haveSameHashes, type ZeroStateId } from '../blockId.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { type LiteOptions, type LiteServer, outcomeOf, type ServerOutcome } from '../liteServer.ts'
import { type Clock, systemClock } from '../systemClock.ts'
import { ProofError } from '../verify/index.ts'
import { Attempts, DEADLINE_MS } from './attempts.ts'
import { Availability } from './availability.ts'
import { waitFor } from './choice.ts'
import { Hedging } from './hedging.ts'
import { NextServer } from './nextServer.ts'
import { PoolHeads } from './poolHeads.ts'
import { PoolMember } from './poolMember.ts'
import { runOnce } from './runOnce.ts'
import { sendToAll } from './sendToAll.ts'
import type { Connect, ServerAddress } from './serverAddress.ts'
import { OTHER_NETWORK, reportOn, type ServerReport } from './serverReport.ts'
import { stretchOf } from './stretch.ts'
import { type PoolLog, Suspects } from './suspects.ts'
import { readingVerbs } from './verbs.ts'

export interface ServerPoolOptions {
  readonly servers: readonly ServerAddress[]
  readonly connect: Connect
  readonly log: PoolLog
  /** Servers that begin with another state are left out while they do; null: not checked. */
  readonly zerostate?: ZeroStateId | null
  /** Calls per second of each server; 0 is no limit. */
  readonly perSecond?: number
  /** Called when a server is dropped for an answer that is not proven. */
  readonly onLiar?: (server: string, reason: string) => void
  /** Whether a server that lied is tried again after some time: only where each answer is proven. */
  readonly isLiarRetried?: boolean
  /** Called when a server is used again that was dropped. */
  readonly onForgiven?: (server: string) => void
  readonly clock?: Clock
  /** From 0 up to 1; by default `Math.random`. */
  readonly random?: () => number
}

export interface ServerPool extends LiteServer {
  readonly servers: readonly ServerReport[]
  /** Recent share of extra calls. */
  readonly hedgedShare: number
  /** How many times as many calls may be in flight as to servers that are near. */
  readonly stretch: number
  /** Hands a message to servers that are not among `given` first, and adds those it was handed to. */
  passOn(message: Uint8Array, given: Set<string>, options?: LiteOptions): Promise<void>
  /** Whether a server can be called now. */
  readonly isUsable: boolean
  /** Whether a server can be called within this time; false as soon as all have failed. */
  ready(ms: number): Promise<boolean>
  /** Replaces the servers: those in both lists keep their connection, and dropped ones stay dropped. */
  replace(servers: readonly ServerAddress[]): void
  /** A server has lied: it is left out, for some time or until the next start. */
  drop(server: string, reason: string): void
  /** The chain was reverted: servers are not blamed for lacking blocks that were undone. */
  pardon(): void
  close(): Promise<void>
}

/** Servers a message is sent to. */
const SENT_TO = 3

/** Equal for the same server, reached in the same way. */
const identityOf = ({ name, key, slices }: ServerAddress): string =>
  `${name} ${Buffer.from(key).toString('base64')} ${slices === null ? '' : slices.map((one) => Object.values(one).join()).join(' ')}`

class Pool {
  members: readonly PoolMember[] = []
  readonly hedging: Hedging
  readonly attempts: Attempts
  readonly heads = new PoolHeads(() => this.members)
  readonly #clock: Clock
  readonly #random: () => number
  readonly #log: PoolLog
  readonly #end = new AbortController()
  readonly availability: Availability
  readonly #next: NextServer
  readonly #suspects: Suspects
  readonly #options: ServerPoolOptions

  constructor(options: ServerPoolOptions) {
    const { clock = systemClock, random = Math.random, log, servers, perSecond = 0, onLiar = () => undefined } = options
    this.#options = options
    this.#clock = clock
    this.availability = new Availability(clock)
    this.hedging = new Hedging(clock)
    this.#next = new NextServer({
      clock,
      random,
      perSecond,
      availability: this.availability,
      signal: this.#end.signal,
      members: () => this.members,
      heads: () => this.heads.read(),
    })
    this.#random = random
    this.#log = log
    this.#suspects = new Suspects({
      clock,
      log,
      onLiar: (server, reason) => {
        onLiar(server, reason)
        this.#changed()
      },
    })
    this.attempts = new Attempts({
      clock,
      hedging: this.hedging,
      next: this.#next,
      suspects: this.#suspects,
      hasSeveral: () => this.members.length > 1,
      refusal: (found) => this.#refusal(found),
    })
    this.replace(servers)
  }

  replace(servers: readonly ServerAddress[]): void {
    const before = new Map(this.members.map((member) => [identityOf(member.address), member]))
    this.members = servers.map((address) => before.get(identityOf(address)) ?? this.#memberOf(address))
    for (const member of before.values()) if (!this.members.includes(member)) void member.close()
    this.availability.restart()
    this.#changed()
  }

  #memberOf(address: ServerAddress): PoolMember {
    const { connect, zerostate = null, perSecond = 0, isLiarRetried = false, onForgiven } = this.#options
    const member: PoolMember = new PoolMember(address, {
      clock: this.#clock,
      random: this.#random,
      connect,
      perSecond,
      isLiarRetried,
      refuse: ({ init }) => (zerostate === null || haveSameHashes(init, zerostate) ? null : OTHER_NETWORK),
      onStranger: () => this.#suspects.stranger(address.name),
      isMissed: () => !this.isUsable,
      onChange: () => this.#changed(),
      onHead: ({ last }, wentBack) => this.heads.heard(member, last, { now: this.#clock.now(), wentBack }),
      onBack: () => {
        this.#log.info({ server: address.name }, 'lite server is back')
        onForgiven?.(address.name)
      },
      onLost: (reason) => {
        this.#log.warn({ server: address.name, reason }, 'lite server lost')
        this.#changed()
      },
    })
    member.start()
    return member
  }

  async each(work: (server: LiteServer) => Promise<unknown>): Promise<readonly ServerOutcome[]> {
    const open = this.members.filter(({ dropped }) => dropped === null)
    return await Promise.all(
      open.map((member) => outcomeOf(member.address.name, runOnce(member, work, this.#end.signal))),
    )
  }

  async passOn(message: Uint8Array, given: Set<string>, options: LiteOptions = {}): Promise<void> {
    const deadline = this.#clock.now() + (options.timeoutMs ?? DEADLINE_MS)
    const before = this.members.filter(({ address }) => given.has(address.name))
    const chosen = new Set<PoolMember>()
    for (const others of [before, []]) {
      while (chosen.size < SENT_TO) {
        // Only the first is waited for.
        const isLast = chosen.size === 0 && others.length === 0
        const member = await this.#next.take(new Set([...others, ...chosen]), options, isLast ? deadline : 0)
        if (member === null) break
        chosen.add(member)
      }
    }
    if (chosen.size === 0) throw this.#refusal()
    for (const { address } of chosen) given.add(address.name)
    await sendToAll([...chosen], message, options)
  }

  /** What one of the servers that are at the newest block last reported; null when none has recently. */
  heard(): MasterchainInfo | null {
    const { best } = this.heads.read()
    for (const member of this.members) {
      const isBest = member.isUsable && !member.score.isHigh && (member.head?.seqno ?? -1) >= best
      const info = isBest ? member.heard() : null
      if (info !== null) return info
    }
    return null
  }

  get isUsable(): boolean {
    return this.members.some(({ isUsable }) => isUsable)
  }

  drop(server: string, reason: string): void {
    for (const member of this.members) if (member.address.name === server) member.drop(reason)
    this.#changed()
  }

  pardon(): void {
    for (const { score } of this.members) score.pardon()
  }

  async ready(ms: number): Promise<boolean> {
    const deadline = this.#clock.now() + ms
    while (!this.isUsable) {
      if (this.#end.signal.aborted || !this.members.some(({ isHopeful }) => isHopeful)) return false
      if (!(await this.availability.change(deadline))) return false
    }
    return true
  }

  async close(): Promise<void> {
    this.#end.abort()
    this.heads.close()
    this.availability.close()
    this.#changed()
    await Promise.all(this.members.map((member) => member.close()))
    this.hedging.close()
  }

  #refusal(found?: unknown): unknown {
    if (found instanceof LiteError || found instanceof ProofError) return found
    if (found !== undefined)
      return new LiteError('cancelled', 'the answer of a lite server cannot be read', { cause: found })
    return this.members.some((member) => member.isUsable && waitFor(member) > 0)
      ? new LiteError(228, this.#next.limitText ?? 'every lite server is at its rate limit for now')
      : new LiteError('cancelled', 'no lite server is connected')
  }

  #changed(): void {
    this.availability.changed(this.isUsable)
  }
}

export function createServerPool(options: ServerPoolOptions): ServerPool {
  const pool = new Pool(options)
  return {
    kind: 'remote',
    ...readingVerbs(({ verb, options: own, about }, run) =>
      pool.attempts.run((server) => run(server, own), aboutBlock(own, about, verb === 'masterchainInfo')),
    ),
    attempt: (work, own) => pool.attempts.run(work, own),
    each: (work) => pool.each(work),
    heard: () => pool.heard(),
    send: (message, own) => pool.passOn(message, new Set(), own),
    passOn: (message, given, own) => pool.passOn(message, given, own),
    onHead: (listener: (id: BlockIdExt) => void) => pool.heads.listen(listener),
    onAway: (listener) => pool.availability.onAway(listener),
    get servers() {
      const heads = pool.heads.read()
      return pool.members.map((member) => reportOn(member, heads))
    },
    get hedgedShare() {
      return pool.hedging.share
    },
    get stretch() {
      return stretchOf(pool.members)
    },
    get isUsable() {
      return pool.isUsable
    },
    ready: (ms) => pool.ready(ms),
    replace: (servers) => pool.replace(servers),
    drop: (server, reason) => pool.drop(server, reason),
    pardon: () => pool.pardon(),
    close: () => pool.close(),
  }
}
