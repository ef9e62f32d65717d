// The embedded chain in a worker process, for reading history: it reads archived steps from the files of the owner, which reports
// every step to it. It throws NotHere for everything else.

import { sameBytes } from '../cell/index.ts'
import { type Chain, type HistoryNews, NOT_HERE } from '../node/index.ts'
import { ArchiveData } from './archive/index.ts'
import { type ChainReader, createHistoryReader } from './chain/index.ts'
import { CopiedHistory } from './history/index.ts'
import type { LastTransaction } from './lastTransactions.ts'
import { createEmbeddedChain } from './lite/index.ts'

export interface ArchivedChain {
  readonly chain: Chain
  /** Call it with every `HistoryNews`, in order. True: steps are missing here, query the owner for those after `length`. */
  take(news: HistoryNews): boolean
  /** Seqno of the newest step that the owner has reported. */
  readonly length: number
  /** Whether the owner has reported this masterchain block, and not reverted it since. */
  has(block: LastTransaction['head']): boolean
  close(): Promise<void>
}

const refuse = (): never => {
  throw NOT_HERE
}
const reject = (): Promise<never> => Promise.reject(NOT_HERE)

/** Rejects when the folder has no archive. */
export async function openArchivedChain(folder: string): Promise<ArchivedChain> {
  const data = await ArchiveData.open(folder)
  const history = new CopiedHistory(data)
  const reader: ChainReader = {
    ...createHistoryReader(history),
    moment: refuse,
    momentAt: reject,
    inMemory: () => undefined,
    masterState: reject,
    shardState: reject,
    get zerostates() {
      return refuse()
    },
  }
  return {
    chain: createEmbeddedChain({
      reader,
      head: refuse,
      onHead: () => () => undefined,
      send: reject,
      fork: null,
      pending: { waiting: refuse },
    }),
    take: (news) => history.take(news),
    get length() {
      return history.index.length
    },
    has({ seqno, rootHash }) {
      const own = history.index.masterHash(seqno)
      return own !== undefined && sameBytes(own, rootHash)
    },
    close: () => data.close(),
  }
}
