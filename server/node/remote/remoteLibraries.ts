// Public libraries of a remote chain, read once: a library is identified by its hash.

import { LRUCache } from 'lru-cache'
import { type Cell, footprintOf } from '../../cell/index.ts'
import { aboutBlock } from '../aboutBlock.ts'
import type { ReadOptions } from '../chain.ts'
import { attemptOn, type LiteServer } from '../liteServer.ts'
import { readAhead, type VerifiedLibraries, verifyLibrariesWithProof } from '../verify/index.ts'
import type { TrustedHead } from './trustOptions.ts'

const WITH_CELLS = 0
const MOST_KEPT = 256
/** Of memory, for all that are kept: one may have a thousand cells. */
const MOST_BYTES = 16 << 20

export class RemoteLibraries {
  readonly #server: LiteServer
  readonly #trust: TrustedHead
  readonly #kept = new LRUCache<string, Cell>({
    max: MOST_KEPT,
    maxSize: MOST_BYTES,
    sizeCalculation: (library) => footprintOf([library]),
  })

  constructor(server: LiteServer, trust: TrustedHead) {
    this.#server = server
    this.#trust = trust
  }

  /** Missing libraries are proven absent as of the newest block. Rejects with LiteError or ProofError. */
  async read(hashes: readonly Uint8Array[], options: ReadOptions = {}): Promise<VerifiedLibraries> {
    const found = new Map<string, Cell>()
    const missing: Uint8Array[] = []
    for (const hash of hashes) {
      const name = Buffer.from(hash).toString('hex')
      const known = this.#kept.get(name)
      if (known === undefined) missing.push(hash)
      else found.set(name, known)
    }
    if (missing.length === 0 && hashes.length > 0) return found
    const { id } = await this.#trust.read(options)
    // By the mode it names a server could leave out the cells of libraries, which would be kept without them.
    const work = async (server: LiteServer): Promise<VerifiedLibraries> => {
      const answer = { ...(await server.librariesWithProof(id, missing, WITH_CELLS, options)), mode: WITH_CELLS }
      return verifyLibrariesWithProof(id, missing, await readAhead(answer, options))
    }
    for (const [name, cell] of await attemptOn(this.#server, work, aboutBlock(options, id))) {
      this.#kept.set(name, cell)
      found.set(name, cell)
    }
    return found
  }
}
