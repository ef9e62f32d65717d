// Accounts as the TVM reads them. Between two blocks many get-methods run on the same few contracts: a proven one,
// serialized for the TVM, is cached for its block.

import { LRUCache } from 'lru-cache'
import type { ParsedAddress } from '../../../shared/address.ts'
import type { Cell } from '../../cell/index.ts'
import { bocText, largeBocText } from '../../contracts/index.ts'
import { ownerOfSignal } from '../../fairness/index.ts'
import { type AccountAt, accountAt, type BlockIdExt, type Chain } from '../../node/index.ts'

/** Some hundred accounts: those of older blocks are hardly read again, and would fill any bound. */
const MOST_BYTES = 8 << 20
/** Bytes of an account without its code and data: its cells, and the slab of 2 kB they are in, which nothing else may need. */
const ACCOUNT_BYTES = 4 * 1024

function cellsOf({ account }: AccountAt): Cell[] {
  const state = account?.storage.state
  return state?.kind === 'active' ? [state.init.code, state.init.data].filter((cell) => cell !== null) : []
}

function sizeOf(found: AccountAt): number {
  const texts = cellsOf(found).reduce((sum, cell) => sum + bocText(cell).length, 0)
  // The texts, and the cells they are made of.
  return ACCOUNT_BYTES + 3 * texts
}

export class RunAccounts {
  readonly #chain: Pick<Chain, 'account'>
  readonly #kept = new LRUCache<string, AccountAt>({ maxSize: MOST_BYTES, sizeCalculation: sizeOf })

  constructor(chain: Pick<Chain, 'account'>) {
    this.#chain = chain
  }

  /** As of a masterchain block. */
  async at(address: ParsedAddress, block: BlockIdExt, signal: AbortSignal): Promise<AccountAt> {
    const ids = Buffer.concat([block.rootHash, block.fileHash, address.hash]).toString('latin1')
    const key = `${block.seqno} ${address.workchain} ${ids}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const found = await accountAt(this.#chain, address, block, signal)
    for (const cell of cellsOf(found)) await largeBocText(cell, { subject: ownerOfSignal(signal) })
    this.#kept.set(key, found)
    return found
  }
}
