// Accounts as the TVM takes them. Between two blocks many get-methods are asked of the same few contracts: what was proven
// of one, and written down for the TVM, is kept for the block it is true of.

import { LRUCache } from 'lru-cache'
import type { Address } from '../../../shared/address.ts'
import { bocText } from '../../contracts/index.ts'
import { provenMaster } from '../../node/index.ts'
import { upstream } from '../errors.ts'
import { type ProvenAccount, type ProvenReader, provenAccountAt } from '../provenAccount.ts'

const MOST_BYTES = 32 << 20
/** What an account takes beside its code and data, roughly. */
const ACCOUNT_BYTES = 2048

function sizeOf({ account }: ProvenAccount): number {
  const state = account?.storage.state
  const cells = state?.kind === 'active' ? [state.init.code, state.init.data] : []
  const texts = cells.reduce((sum, cell) => sum + (cell === null ? 0 : bocText(cell).length), 0)
  // The texts, and the cells they are made of.
  return ACCOUNT_BYTES + 3 * texts
}

export class RunAccounts {
  readonly #node: ProvenReader
  readonly #kept = new LRUCache<string, ProvenAccount>({ maxSize: MOST_BYTES, sizeCalculation: sizeOf })

  constructor(node: ProvenReader) {
    this.#node = node
  }

  /** As of a masterchain block, the newest when `seqno` is undefined. Throws ApiError `upstream`. */
  async at(address: Address, seqno: number | undefined, signal: AbortSignal): Promise<ProvenAccount> {
    const block = await upstream(provenMaster(this.#node, seqno, { signal }))
    const ids = Buffer.concat([block.rootHash, block.fileHash, address.hash]).toString('latin1')
    const key = `${block.seqno} ${address.workchain} ${ids}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const found = await provenAccountAt(this.#node, address, block, signal)
    this.#kept.set(key, found)
    return found
  }
}
