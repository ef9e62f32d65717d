// What follows of the traces that go on in one block, as it was predicted: a block is reported twice, first as confirmed.

import { base64Of } from '../../cell/index.ts'
import type { BlockRows } from '../../store/index.ts'
import { traceKey } from './blockParts.ts'

/** Of all traces of the block together; others are predicted again. */
const MOST_BYTES = 16 << 20

interface Sized {
  readonly bytes: number
}

export class RestOfTraces<T extends Sized> {
  readonly #rests = new Map<string, T>()
  #block = ''
  #bytes = 0

  /** Forgets those of other blocks. */
  keep({ rootHash }: Pick<BlockRows, 'rootHash'>, traceId: Uint8Array, rest: T): void {
    const block = base64Of(rootHash)
    if (block !== this.#block) this.#clear(block)
    if (this.#bytes + rest.bytes > MOST_BYTES) return
    this.#rests.set(traceKey(traceId), rest)
    this.#bytes += rest.bytes
  }

  /** Once for each trace: nothing asks a third time. */
  take({ rootHash }: Pick<BlockRows, 'rootHash'>, traceId: Uint8Array): T | undefined {
    if (base64Of(rootHash) !== this.#block) return undefined
    const key = traceKey(traceId)
    const rest = this.#rests.get(key)
    this.#rests.delete(key)
    this.#bytes -= rest?.bytes ?? 0
    return rest
  }

  #clear(block: string): void {
    this.#rests.clear()
    this.#block = block
    this.#bytes = 0
  }
}
