// Transactions that were checked, as bytes: a page that is cached holds a fifth of the memory its cells would take, and the collector
// copies none of it. Reading them again takes a few microseconds.

import { readBocRoots } from '../../cell/index.ts'
import { readAgain } from './readProof.ts'
import { HistoryTransaction, MOST_AT_ONCE, type VerifiedTransaction } from './transactions.ts'

const HASH_BYTES = 32
const LIMITS = readAgain(MOST_AT_ONCE)

export class KeptHistory {
  /** Their bag, and behind it the hash of each. */
  readonly #bytes: Buffer
  readonly #bagEnd: number

  /** A bag, and what it was found to hold: one transaction at least. */
  constructor(bag: Uint8Array, transactions: readonly VerifiedTransaction[]) {
    this.#bagEnd = bag.length
    this.#bytes = Buffer.allocUnsafeSlow(bag.length + HASH_BYTES * transactions.length)
    this.#bytes.set(bag)
    let at = bag.length
    for (const { cell } of transactions) at += this.#bytes.write(cell.hash(), at, 'latin1')
  }

  get bytes(): number {
    return this.#bytes.length
  }

  read(): readonly VerifiedTransaction[] {
    return readBocRoots(this.#bytes.subarray(0, this.#bagEnd), LIMITS).map((root, i) => {
      root.adoptHashes(this.#bytes, this.#bagEnd + HASH_BYTES * i)
      return new HistoryTransaction(root)
    })
  }
}
