// What is proven of a chain so far, in memory and in the file of proven blocks.

import { isSameBlock } from '../blockId.ts'
import { ProofError } from '../verify/index.ts'
import type { TrustStart } from './networks.ts'
import { type ProvenAt, recordOf, type TrustRecord } from './trustFile.ts'
import type { TrustOptions } from './trustOptions.ts'
import { TrustSaver } from './trustSaver.ts'

export class KeptTrust {
  readonly #saver: TrustSaver | null
  readonly #storeName: string | null
  #record: TrustRecord | null

  /** Without a record or a start the zerostate that a server reports first is trusted. */
  constructor(record: TrustRecord | null, options: TrustOptions, clock: () => number) {
    const { start = null, store = null, policy, onTrouble = () => undefined } = options
    this.#storeName = store?.name ?? null
    this.#record = record ?? (start === null ? null : recordOf(start))
    this.#saver = store === null || policy === 'off' ? null : new TrustSaver({ store, onTrouble, clock })
  }

  get hasStart(): boolean {
    return this.#record !== null
  }

  get record(): TrustRecord {
    if (this.#record === null) throw new ProofError('trust', 'nothing to start trust from')
    return this.#record
  }

  /** Nothing was proven yet. */
  get isUntried(): boolean {
    return isSameBlock(this.record.last.id, this.record.start)
  }

  /** For the error of a failed proof: whether anything was proven before, and where it is stored. */
  get origin(): { readonly isUntried: boolean; readonly storeName: string | null } {
    return { isUntried: this.isUntried, storeName: this.#storeName }
  }

  /** Unless there is a start already. */
  begin(start: TrustStart): void {
    this.#record ??= recordOf(start)
  }

  /** Forgets all but the start. The file stays as it is until something is proven. */
  restart(): void {
    const { zerostate, start } = this.record
    this.#record = recordOf({ zerostate, block: start })
  }

  keep(proven: { readonly key?: ProvenAt; readonly last: ProvenAt }): void {
    this.#record = { ...this.record, ...proven }
    this.#saver?.keep(this.#record, { isKey: proven.key !== undefined })
  }

  async flush(): Promise<void> {
    await this.#saver?.flush()
  }
}
