// A worker process queries the owner of the chain for the last transactions of accounts. One query is in flight at a time; it has
// all accounts that calls have requested since the one before. The answer names the block at which it holds.

import { type AccountId, NOT_HERE } from '../node/index.ts'
import type { ChainReader } from './chain/index.ts'
import { BASECHAIN, MASTERCHAIN } from './state/index.ts'

/** A query: workchain and id of each account. */
const ASKED = { hash: 4, bytes: 36 } as const
/** An answer: seqno and root hash of the masterchain block, then `lt` and hash of each transaction, zeros for a missing one. */
const HEAD = { rootHash: 4, bytes: 36 } as const
const LAST = { hash: 8, bytes: 40 } as const

/** Where the history of an account begins; `lt` is 0 for one without transactions. */
export interface LastTransaction {
  readonly lt: bigint
  readonly hash: Uint8Array
  /** The newest masterchain block when it was read. */
  readonly head: { readonly seqno: number; readonly rootHash: Uint8Array }
}

/** The owner's side. */
export function lastTransactionsOf(reader: Pick<ChainReader, 'moment'>, question: Uint8Array): Uint8Array {
  const { master, shard } = reader.moment()
  const asked = Buffer.from(question.buffer, question.byteOffset, question.length)
  const count = Math.floor(asked.length / ASKED.bytes)
  const answer = Buffer.alloc(HEAD.bytes + count * LAST.bytes)
  answer.writeUInt32LE(master.id.seqno)
  answer.set(master.id.rootHash, HEAD.rootHash)
  for (let i = 0; i < count; i++) {
    const from = i * ASKED.bytes
    const workchain = asked.readInt32LE(from)
    if (workchain !== MASTERCHAIN && workchain !== BASECHAIN) continue
    const { accounts } = workchain === MASTERCHAIN ? master : shard
    const found = accounts.get(new Uint8Array(asked.subarray(from + ASKED.hash, from + ASKED.bytes)))
    if (found === undefined) continue
    const at = HEAD.bytes + i * LAST.bytes
    answer.writeBigUInt64LE(found.lastTransLt, at)
    answer.set(found.lastTransHash, at + LAST.hash)
  }
  return answer
}

interface Waiting {
  readonly account: AccountId
  readonly resolve: (last: LastTransaction) => void
  readonly reject: (error: unknown) => void
}

/** The worker's side. `ask` sends a query to the owner. */
export class LastTransactions {
  readonly #ask: (question: Uint8Array) => Promise<Uint8Array>
  /** Requested for the next query. */
  readonly #waiting = new Set<Waiting>()
  #isAsking = false

  constructor(ask: (question: Uint8Array) => Promise<Uint8Array>) {
    this.#ask = ask
  }

  of(account: AccountId, signal: AbortSignal): Promise<LastTransaction> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(one)
        reject(signal.reason)
      }
      const one: Waiting = {
        account,
        resolve(last) {
          signal.removeEventListener('abort', leave)
          resolve(last)
        },
        reject(error) {
          signal.removeEventListener('abort', leave)
          reject(error)
        },
      }
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.add(one)
      if (this.#isAsking) return
      this.#isAsking = true
      // One query for all calls of this turn of the event loop.
      setImmediate(() => void this.#askAll())
    })
  }

  async #askAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting]
      this.#waiting.clear()
      try {
        answerAll(all, await this.#ask(questionOf(all)))
      } catch (error) {
        for (const { reject } of all) reject(error)
      }
    }
    this.#isAsking = false
  }
}

function questionOf(all: readonly Waiting[]): Uint8Array {
  const question = Buffer.alloc(all.length * ASKED.bytes)
  for (const [i, { account }] of all.entries()) {
    question.writeInt32LE(account.workchain, i * ASKED.bytes)
    question.set(account.hash, i * ASKED.bytes + ASKED.hash)
  }
  return question
}

function answerAll(all: readonly Waiting[], bytes: Uint8Array): void {
  const answer = Buffer.from(bytes)
  if (answer.length !== HEAD.bytes + all.length * LAST.bytes) throw NOT_HERE
  const piece = (from: number, to: number): Uint8Array => new Uint8Array(answer.subarray(from, to))
  const head = { seqno: answer.readUInt32LE(), rootHash: piece(HEAD.rootHash, HEAD.bytes) }
  for (const [i, { resolve }] of all.entries()) {
    const at = HEAD.bytes + i * LAST.bytes
    resolve({ lt: answer.readBigUInt64LE(at), hash: piece(at + LAST.hash, at + LAST.bytes), head })
  }
}
