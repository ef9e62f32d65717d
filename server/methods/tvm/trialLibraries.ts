// Public libraries that trial runs may load: those that contracts and messages refer to anywhere near the top of their trees,
// and those that these refer to. Libraries of the contracts themselves come with their states.

import { type BinaryHash, type Cell, CellKind, libraryNamesIn } from '../../cell/index.ts'
import { Libraries } from '../../contracts/index.ts'
import { ownerOfSignal } from '../../fairness/index.ts'
import type { Chain } from '../../node/index.ts'

/** Cells of one tree that are searched for references: 1 ms. */
const MOST_CELLS = 4096
/** Names within trees that are looked up for one request, and at once. */
const MOST_NAMES = 64
const MOST_AT_ONCE = 16

export class TrialLibraries {
  readonly #found: Libraries
  /** Names that were looked up, whether there is such a library or not. */
  readonly #names = new Set<BinaryHash>()
  readonly #searched = new WeakSet<Cell>()

  constructor(chain: Pick<Chain, 'libraries'>) {
    this.#found = new Libraries(chain, { library: null })
  }

  /**
   * Adds those that trees of cells refer to. A root that is itself a reference, as the code of many accounts is, is always looked
   * up: the limit of names is shared by the senders of all pending messages. Rejects as the chain does.
   */
  async addFor(roots: readonly (Cell | null | undefined)[], signal: AbortSignal): Promise<void> {
    const trees = [...roots]
    for (const [index, root] of trees.entries()) {
      const names = root == null ? [] : this.#newNamesIn(root, index < roots.length)
      for (let at = 0; at < names.length; at += MOST_AT_ONCE)
        trees.push(...(await this.#found.addAll(names.slice(at, at + MOST_AT_ONCE), signal)))
    }
  }

  #newNamesIn(root: Cell, isGiven: boolean): BinaryHash[] {
    if (this.#searched.has(root)) return []
    this.#searched.add(root)
    const names: BinaryHash[] = []
    const isAlways = isGiven && root.kind === CellKind.library
    if (this.#names.size >= MOST_NAMES && !isAlways) return names
    for (const name of libraryNamesIn(root, MOST_CELLS)) {
      if (!this.#names.has(name)) names.push(name)
      this.#names.add(name)
      if (this.#names.size >= MOST_NAMES) break
    }
    return names
  }

  /** The dictionary as the TVM takes it; null when it is empty. */
  bocText(signal: AbortSignal): Promise<string | null> {
    return this.#found.bocText({ subject: ownerOfSignal(signal) })
  }
}

/** Those of one run. */
export async function librariesFor(
  chain: Pick<Chain, 'libraries'>,
  roots: readonly (Cell | null | undefined)[],
  signal: AbortSignal,
): Promise<string | null> {
  const libraries = new TrialLibraries(chain)
  await libraries.addFor(roots, signal)
  return await libraries.bocText(signal)
}
