// The embedded chain in a process that does not own it: it reads what is archived by itself, as far as the owner has told it,
// and refuses everything else with NotHere.

import { sameBytes } from '../cell/index.ts'
import { type Chain, type HistoryNews, NOT_HERE } from '../node/index.ts'
import { ArchiveData } from './archive/index.ts'
import { type ChainReader, createHistoryReader } from './chain/index.ts'
import { CopiedHistory } from './history/index.ts'
import type { LastTransaction } from './lastTransactions.ts'
import { createEmbeddedChain } from './lite/index.ts'

export interface ArchivedChain {
  readonly chain: Chain
  /** To be called with all news, in order. Returns whether there are steps that were not told yet. */
  take(news: HistoryNews): boolean
  /** Seqno of the newest step that was told. */
  readonly length: number
  /** Whether a masterchain block is one of those that were told and not undone. */
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
    ...{ moment: refuse, momentAt: reject, masterState: reject, shardState: reject },
    get zerostates() {
      return refuse()
    },
  }
  return {
    chain: createEmbeddedChain({ reader, head: refuse, onHead: () => () => undefined, send: reject }),
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
