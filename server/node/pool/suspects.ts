// Servers whose answer is not proven: what becomes of them, and what the log says.

import type { Notes } from '../../observe/index.ts'
import type { LiteError } from '../liteErrors.ts'
import type { Clock } from '../systemClock.ts'
import type { ProofError } from '../verify/index.ts'
import type { PoolMember } from './poolMember.ts'
import { OTHER_NETWORK } from './serverReport.ts'
import type { VerbCall } from './verbs.ts'

export interface PoolLog extends Notes {
  error(facts: object, text: string): void
}

export interface Suspect {
  readonly member: Pick<PoolMember, 'address' | 'dropped' | 'drop'>
  readonly error: ProofError
  /** The last call that was made of it; null when none was, and what it reported by itself is not proven. */
  readonly call: VerbCall | null
}

/** A server, and its refusal. */
export interface Contradicted {
  readonly member: Pick<PoolMember, 'address' | 'score'>
  readonly error: LiteError
}

interface SuspectsParts {
  readonly clock: Pick<Clock, 'now'>
  readonly log: PoolLog
  /** A server was dropped. */
  readonly onLiar: (server: string, reason: string) => void
}

/** Between two warnings about answers without proof. */
const AGAIN_MS = 60_000
/** Less than a failure: it may not have what another one keeps. */
const CONTRADICTED_WEIGHT = 0.5
/** What servers report by themselves, with each new block. */
const REPORTED = 'masterchainInfo'

const verbOf = ({ error, call }: Suspect): string => error.verb ?? call?.verb ?? REPORTED

export class Suspects {
  readonly #parts: SuspectsParts
  #warnedAt = Number.NEGATIVE_INFINITY
  #contradictedAt = Number.NEGATIVE_INFINITY

  constructor(parts: SuspectsParts) {
    this.#parts = parts
  }

  /**
   * Drops a server after another one has proven the same answer. Not earlier: a query that no server can prove must not
   * cost the pool its servers.
   */
  convict(suspect: Suspect): void {
    const { member, error, call } = suspect
    if (member.dropped !== null) return
    const { log, onLiar } = this.#parts
    const { name: server } = member.address
    const verb = verbOf(suspect)
    const reason = `its answer to ${verb} is not proven: ${error.message}`
    const ms = member.drop(reason) ?? Number.POSITIVE_INFINITY
    const facts = { server, verb, seqno: call?.about?.seqno, reason: error.message }
    const until = Number.isFinite(ms) ? `for ${Math.round(ms / 60_000)} min` : 'until the next start'
    log.error(facts, `lite server dropped ${until}: another one proved what it did not`)
    onLiar(server, reason)
  }

  /** It called a query wrong that another one has answered: when it goes on like this, it is not called. */
  contradict({ member, error }: Contradicted): void {
    const { clock, log } = this.#parts
    member.score.add(CONTRADICTED_WEIGHT)
    member.score.note(error)
    if (clock.now() - this.#contradictedAt < AGAIN_MS) return
    this.#contradictedAt = clock.now()
    const { verb = null, seqno = null } = error.asked ?? {}
    const facts = { server: member.address.name, verb, seqno, code: error.code, reason: error.message }
    log.warn(facts, 'lite server refused what another one answers')
  }

  /** It began with another state than the network. */
  stranger(server: string): void {
    const text = `lite server left out: ${OTHER_NETWORK}; it is looked at again from time to time`
    this.#parts.log.error({ server }, `${text}: take it off the list, or name its network`)
  }

  warn(suspect: Suspect): void {
    const { clock, log } = this.#parts
    if (clock.now() - this.#warnedAt < AGAIN_MS) return
    this.#warnedAt = clock.now()
    const { member, error, call } = suspect
    const facts = { server: member.address.name, verb: verbOf(suspect), seqno: call?.about?.seqno }
    log.warn({ ...facts, reason: error.message }, 'lite server sent an answer that is not proven')
  }
}
