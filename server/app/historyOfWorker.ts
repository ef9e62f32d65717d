// How a worker process reads the history of an embedded chain by itself: in the files of the chain, as far as the owner tells it.

import { type ArchivedChain, LastTransactions, openArchivedChain } from '../devchain/index.ts'
import type { NewestPoint, OwnHistory } from '../methods/index.ts'
import { type AccountId, type Chain, type HistoryNews, NOT_HERE } from '../node/index.ts'
import type { Log } from '../observe/index.ts'

/** How the owner is asked. */
interface HistoryQuestions {
  /** To tell the steps behind one. */
  after(seqno: number): void
  lastTransactions(question: Uint8Array): Promise<Uint8Array>
}

export class HistoryOfWorker implements OwnHistory {
  readonly #archived: ArchivedChain
  readonly #owner: HistoryQuestions
  readonly #last: LastTransactions
  #isTold = false
  /** Until the steps that were asked for have come. */
  #isAsking = false

  constructor(archived: ArchivedChain, owner: HistoryQuestions) {
    this.#archived = archived
    this.#owner = owner
    this.#last = new LastTransactions((question) => owner.lastTransactions(question))
  }

  /** It rejects with NotHere what only the owner can read. */
  get chain(): Chain {
    return this.#archived.chain
  }

  /** As the owner says; confirmed where its block is known here and not undone. */
  async newest(account: AccountId, signal: AbortSignal): Promise<NewestPoint> {
    const { lt, hash, head } = await this.#last.of(account, signal)
    return {
      ...{ lt, hash },
      confirm: () => {
        if (!this.#archived.has(head)) throw NOT_HERE
      },
    }
  }

  /** The owner tells this process of changes: from now on what came before them can be asked for. */
  begin(): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#askFor()
  }

  /** A change. */
  take(news: HistoryNews): void {
    if (this.#archived.take(news) && !this.#isAsking) this.#askFor()
  }

  /** Steps that were asked for. */
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

/** Null when it cannot be read: the owner is asked for everything then. */
export async function openHistoryOfWorker(
  folder: string,
  owner: HistoryQuestions,
  log: Pick<Log, 'warn'>,
): Promise<HistoryOfWorker | null> {
  try {
    return new HistoryOfWorker(await openArchivedChain(folder), owner)
  } catch (error) {
    log.warn({ err: error }, 'the history of the chain cannot be read here: its owner is asked for it')
    return null
  }
}
