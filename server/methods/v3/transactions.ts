import { ApiError } from '../../../shared/errors.ts'
import type { transactions } from '../../../shared/v3/transactions.ts'
import {
  adjacentRead,
  type PageAsk,
  type PagedRead,
  readAll,
  readPage,
  readTransactionParts,
  type Sql,
  type TransactionRow,
  transactionsByMessageRead,
  transactionsRead,
} from '../../store/index.ts'
import type { Call, Handlers } from '../call.ts'
import { openPage, type PageParams } from '../paging.ts'
import { accountsOfTransaction, toTransaction } from '../view/v3/transaction.ts'
import { demandMaster } from './demandMaster.ts'
import type { SideObjects } from './sideObjects.ts'
import { wishedBook } from './wishes.ts'

const NO_NEIGHBOURS = 'adjacent transactions not found'
const NO_NAME = 'at least one of msg_hash, body_hash, opcode should be specified'

export function indexedTransactionHandlers(store: Sql, side: SideObjects): Handlers<typeof transactions> {
  /** Rows with all that stands in them and beside them. */
  async function whole(rows: readonly TransactionRow[], call: Call) {
    const found = await readTransactionParts(store, rows, call)
    const beside = await wishedBook(side, found.flatMap(accountsOfTransaction), call)
    return { transactions: found.map(toTransaction), ...beside }
  }

  /** One page of what a read finds, and where the next one begins. */
  async function page(
    method: string,
    params: PageParams,
    call: Call,
    read: (ask: PageAsk) => PagedRead<TransactionRow>,
  ) {
    const { ask, cursor } = openPage(method, params)
    const { rows, next } = await readPage(store, read(ask), call)
    return { ...(await whole(rows, call)), cursor: cursor(next) }
  }

  return {
    async 'v3.transactions'(params, call) {
      const { workchain, shard, seqno, mc_seqno, account, exclude_account, hash, lt, sort } = params
      const filter = {
        workchain,
        shard,
        seqno,
        mcSeqno: mc_seqno,
        accounts: account,
        excludeAccounts: exclude_account,
        hashes: hash,
        lt,
        startUtime: params.start_utime,
        endUtime: params.end_utime,
        startLt: params.start_lt,
        endLt: params.end_lt,
      }
      const found = await page('v3.transactions', params, call, (ask) => transactionsRead(filter, ask, sort))
      // Where there is something the block is there too.
      if (mc_seqno !== undefined && found.transactions.length === 0) await demandMaster(store, mc_seqno, call)
      return found
    },

    async 'v3.transactionsByMasterchainBlock'(params, call) {
      const { seqno, sort } = params
      const read = (ask: PageAsk) => transactionsRead({ mcSeqno: seqno }, ask, sort)
      const found = await page('v3.transactionsByMasterchainBlock', params, call, read)
      if (found.transactions.length === 0) await demandMaster(store, seqno, call)
      return found
    },

    async 'v3.transactionsByMessage'(params, call) {
      const { msg_hash, body_hash, opcode, direction, source, destination, sort } = params
      if (msg_hash === undefined && body_hash === undefined && opcode === undefined) {
        throw new ApiError('invalidParams', NO_NAME)
      }
      const filter = { hashes: msg_hash, bodyHash: body_hash, opcode, direction, source, destination }
      const read = (ask: PageAsk) => transactionsByMessageRead(filter, ask, sort)
      return page('v3.transactionsByMessage', params, call, read)
    },

    async 'v3.adjacentTransactions'({ hash, direction = null }, call) {
      const rows = hash === undefined ? [] : await readAll(store, adjacentRead(hash, direction), call)
      if (rows.length === 0) throw new ApiError('notFound', NO_NEIGHBOURS)
      return whole(rows, call)
    },
  }
}
