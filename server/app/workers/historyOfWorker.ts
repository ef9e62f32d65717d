// Lets a worker process read the history of the embedded chain from the owner's files. The owner reports each step to it.

import { type ArchivedChain, LastTransactions, openArchivedChain } from '../../devchain/index.ts'
import type { NewestPoint, OwnHistory } from '../../methods/index.ts'
import { type AccountId, type Chain, type HistoryNews, NOT_HERE } from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'

/** Queries of the owner. */
interface HistoryQuestions {
  /** The owner answers with the steps after `seqno`, by `takePart`. */
  after(seqno: number): void
  lastTransactions(question: Uint8Array): Promise<Uint8Array>
}

export class HistoryOfWorker implements OwnHistory {
  readonly #archived: ArchivedChain
  readonly #owner: HistoryQuestions
  readonly #last: LastTransactions
  #hasBegun = false
  /** While the requested steps are on their way. */
  #isAsking = false

  constructor(archived: ArchivedChain, owner: HistoryQuestions) {
    this.#archived = archived
    this.#owner = owner
    this.#last = new LastTransactions((question) => owner.lastTransactions(question))
  }

  /** Its methods reject with NotHere for what only the owner can read. */
  get chain(): Chain {
    return this.#archived.chain
  }

  /** The owner's answer. `confirm` throws NotHere unless the block of that answer is part of the chain here. */
  async newest(account: AccountId, signal: AbortSignal): Promise<NewestPoint> {
    const { lt, hash, head } = await this.#last.of(account, signal)
    return {
      lt,
      hash,
      confirm: () => {
        if (!this.#archived.has(head)) throw NOT_HERE
      },
    }
  }

  /** To be called once the owner reports changes: earlier steps are requested from then on, so that none is missed between. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#askFor()
  }

  /** A change. */
  take(news: HistoryNews): void {
    if (this.#archived.take(news) && !this.#isAsking) this.#askFor()
  }

  /** The requested steps. */
  takePart(news: HistoryNews): void {
    this.#isAsking = false
    if (this.#archived.take(news)) this.#askFor()
  }

  close(): Promise<void> {
    return this.#archived.close()
  }

  #askFor(): void {
    this.#isAsking = true
    this.#owner.after(this.#archived.length)
  }
}

/** Null when the files cannot be read: all calls go to the owner then. */
export async function openHistoryOfWorker(
  folder: string,
  owner: HistoryQuestions,
  log: Pick<Log, 'warn'>,
): Promise<HistoryOfWorker | null> {
  try {
    return new HistoryOfWorker(await openArchivedChain(folder), owner)
  } catch (error) {
    log.warn({ err: error }, 'history of the chain cannot be read by this worker: its calls go to the first process')
    return null
  }
}
