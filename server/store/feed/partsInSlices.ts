// The parts of the transactions of blocks, so many bytes in one statement: a single block may have thousands of transactions with large
// messages. In a block equal bags are one, and so they are in memory.

import type { Sql } from '../database.ts'
import { bytesKey } from '../read/bytesKey.ts'
import { messageBytesOfEach } from '../read/listBytes.ts'
import { readTransactionParts, type TransactionFound } from '../read/transactionParts.ts'
import { LEAST_SHARED_BYTES, type MessageRow, type TransactionRow } from '../tables/chain.ts'

/** Of bodies and initial states in the rows of one statement; one transaction may have more. */
const MOST_BYTES = 8 << 20

class KnownBags {
  readonly #known = new Map<string, Uint8Array>()

  /** The messages with bags that other messages have as well. */
  withKnown({ inMessage, outMessages, ...others }: TransactionFound): TransactionFound {
    return {
      ...others,
      inMessage: inMessage === null ? null : this.#shared(inMessage),
      outMessages: outMessages.map((one) => this.#shared(one)),
    }
  }

  #shared(message: MessageRow): MessageRow {
    const body = this.#knownOf(message.bodyHash, message.body)
    const init = this.#knownOf(message.initHash, message.init)
    return body === message.body && init === message.init ? message : { ...message, body, init }
  }

  #knownOf<B extends Uint8Array | null>(hash: Uint8Array | null, bag: B): B | Uint8Array {
    if (bag === null || hash === null || bag.length < LEAST_SHARED_BYTES) return bag
    const key = bytesKey(hash)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, bag)
    return bag
  }
}

/** Few large ones next to each other are as many bytes as they are, however small the others are. */
function* slicesOf(
  transactions: readonly TransactionRow[],
  bytesOf: ReadonlyMap<string, number>,
): Generator<readonly TransactionRow[]> {
  let slice: TransactionRow[] = []
  let bytes = 0
  for (const one of transactions) {
    const own = bytesOf.get(bytesKey(one.hash)) ?? 0
    if (slice.length > 0 && bytes + own > MOST_BYTES) {
      yield slice
      slice = []
      bytes = 0
    }
    slice.push(one)
    bytes += own
  }
  yield slice
}

/** In the order of the transactions, whose messages have so many bytes together. */
export async function readPartsInSlices(
  from: Sql,
  transactions: readonly TransactionRow[],
  bytes: number,
): Promise<TransactionFound[]> {
  if (bytes <= MOST_BYTES) return await readTransactionParts(from, transactions)
  const bytesOf = await messageBytesOfEach(from, transactions)
  const bags = new KnownBags()
  const found: TransactionFound[] = []
  for (const slice of slicesOf(transactions, bytesOf))
    for (const one of await readTransactionParts(from, slice)) found.push(bags.withKnown(one))
  return found
}
