// Libraries a contract may run: its own, and those of the masterchain that it turns out to want.

import {
  type BinaryHash,
  type Cell,
  CellKind,
  hashFromHex,
  hashToBytes,
  hashToHex,
  libraryNameOf,
} from '../../cell/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import type { Chain } from '../../node/index.ts'
import { type OwnLibraries, ownLibraries, type StateInit } from '../../tlb/index.ts'
import { largeBocText } from './bocText.ts'

export class Libraries {
  readonly #chain: Pick<Chain, 'libraries'>
  #found: OwnLibraries

  constructor(chain: Pick<Chain, 'libraries'>, { library }: Pick<StateInit, 'library'>) {
    this.#chain = chain
    this.#found = ownLibraries(library)
  }

  /** Adds one by its hash in hex; false when it is already there or does not exist. Rejects as the chain does. */
  async add(hashHex: string, signal: AbortSignal): Promise<boolean> {
    const name = hashHex.toLowerCase()
    const hash = hashToBytes(hashFromHex(name))
    if (this.#found.has(hash)) return false
    const root = (await this.#chain.libraries([hash], { signal })).get(name)
    if (root === undefined) return false
    this.#found = this.#found.set(hash, { isPublic: false, root })
    return true
  }

  /** Adds those of up to 16 there are, and returns them. Rejects as the chain does. */
  async addAll(names: readonly BinaryHash[], signal: AbortSignal): Promise<readonly Cell[]> {
    const found = await this.#chain.libraries(names.map(hashToBytes), { signal })
    for (const [name, root] of found)
      this.#found = this.#found.set(hashToBytes(hashFromHex(name)), { isPublic: false, root })
    return [...found.values()]
  }

  /** Code that is nothing but a reference to a library is resolved before the first run. */
  async addFor(code: Cell, signal: AbortSignal): Promise<void> {
    if (code.kind !== CellKind.library) return
    await this.add(hashToHex(libraryNameOf(code)), signal)
  }

  /** The dictionary as the TVM takes it, a large one written in slices; null when it is empty. */
  async bocText(slicing: Slicing): Promise<string | null> {
    const { root } = this.#found
    return root === null ? null : await largeBocText(root, slicing)
  }
}
