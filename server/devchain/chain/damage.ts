// Damage to the chain's log that is found after the start, as it is reported to the operator.

import type { BlockIndex } from '../history/index.ts'
import type { LogDamaged, LogPosition } from '../log/index.ts'
import type { Warn } from '../warn.ts'

/** Maximum damaged blocks that are logged one by one. */
const LOGGED = 10

export class DamageReport {
  readonly #index: BlockIndex
  readonly #report: Warn
  #first: string | null = null
  #count = 0

  constructor(index: BlockIndex, report: Warn) {
    this.#index = index
    this.#report = report
  }

  take({ message, file, offset }: LogDamaged, at: LogPosition): void {
    this.#count++
    if (this.#count > LOGGED) return
    const name = this.#nameOf(at)
    this.#first ??= name
    this.#report(`chain: ${name} is damaged and cannot be read`, { file, offset, error: message })
    if (this.#count === LOGGED) this.#report('chain: further damage is only counted, in /readyz', { file })
  }

  /** What is damaged; null when nothing is. Callers see this text, so it names no file. */
  get words(): string | null {
    if (this.#first === null) return null
    const more = this.#count === 1 ? '' : ` and ${this.#count - 1} more`
    return `${this.#first}${more} damaged on the disk: see the log of the service`
  }

  /** The blocks whose record is here. */
  #nameOf(at: LogPosition): string {
    const step = this.#index.stepAt(at)
    if (step === undefined) return 'a record that is of no block of the chain'
    const shard = step.shard === null ? '' : ` with basechain block ${step.shard.id.seqno}`
    return `masterchain block ${step.master.id.seqno}${shard}`
  }
}
