// Libraries a contract may run: its own, and those of the masterchain that it turns out to want.

import {
  type Cell,
  CellError,
  CellKind,
  Dict,
  emptyDict,
  hashFromHex,
  hashToBytes,
  openAny,
  writeBoc,
} from '../../cell/index.ts'
import type { Chain } from '../../node/index.ts'
import { libraryKind, type StateInit } from '../../tlb/index.ts'

/** Libraries of one contract that are taken along. */
const MOST_OWN = 256

export class Libraries {
  readonly #chain: Pick<Chain, 'libraries'>
  readonly #found = new Map<string, Cell>()

  constructor(chain: Pick<Chain, 'libraries'>, { library }: Pick<StateInit, 'library'>) {
    this.#chain = chain
    if (library === null) return
    try {
      for (const [hash, { root }] of new Dict(libraryKind, library)) {
        if (this.#found.size === MOST_OWN) break
        this.#found.set(Buffer.from(hash).toString('hex'), root)
      }
    } catch (error) {
      // A contract may be born with anything in the place of its libraries: then it has none.
      if (!(error instanceof CellError)) throw error
      this.#found.clear()
    }
  }

  /** Adds one by its hash in hex; false when it is already there or does not exist. Rejects as the chain does. */
  async add(hashHex: string, signal: AbortSignal): Promise<boolean> {
    const name = hashHex.toLowerCase()
    if (this.#found.has(name)) return false
    const hash = hashToBytes(hashFromHex(name))
    const cell = (await this.#chain.libraries([hash], { signal })).get(name)
    if (cell === undefined) return false
    this.#found.set(name, cell)
    return true
  }

  /** Code that is nothing but a reference to a library is resolved before the first run. */
  async addFor(code: Cell, signal: AbortSignal): Promise<void> {
    if (code.kind !== CellKind.library) return
    await this.add(Buffer.from(openAny(code).skip(8).loadBytes(32)).toString('hex'), signal)
  }

  /** The dictionary as the TVM takes it, null when it would be empty. */
  toBoc(): Uint8Array | null {
    if (this.#found.size === 0) return null
    const entries = [...this.#found].map(
      ([hash, root]) => [hashToBytes(hashFromHex(hash)), { isPublic: false, root }] as const,
    )
    const { root } = emptyDict(libraryKind).update(entries)
    return root === null ? null : writeBoc(root)
  }
}
