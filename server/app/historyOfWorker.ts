// How a worker process reads the history of an embedded chain by itself: in the files of the chain, as far as the owner tells it.

import { type ArchivedChain, openArchivedChain } from '../devchain/index.ts'
import type { Chain, HistoryNews } from '../node/index.ts'
import type { Log } from '../observe/index.ts'

export class HistoryOfWorker {
  readonly #archived: ArchivedChain
  readonly #ask: (after: number) => void
  #isTold = false
  /** Until the steps that were asked for have come. */
  #isAsking = false

  constructor(archived: ArchivedChain, ask: (after: number) => void) {
    this.#archived = archived
    this.#ask = ask
  }

  /** It rejects with NotHere what only the owner can read. */
  get chain(): Chain {
    return this.#archived.chain
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
    this.#ask(this.#archived.length)
  }
}

/** Null when it cannot be read: the owner is asked for everything then. */
export async function openHistoryOfWorker(
  folder: string,
  ask: (after: number) => void,
  log: Pick<Log, 'warn'>,
): Promise<HistoryOfWorker | null> {
  try {
    return new HistoryOfWorker(await openArchivedChain(folder), ask)
  } catch (error) {
    log.warn({ err: error }, 'the history of the chain cannot be read here: its owner is asked for it')
    return null
  }
}
