// Transactions: of an account, of a block.

import { type Answers, type Bare, TlError } from '../../tl/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type {
  BlockTransactionsAnswer,
  BlockTransactionsExtAnswer,
  LiteTransactionId,
  TransactionAnswer,
  TransactionMetadata,
  TransactionsAnswer,
} from '../liteAnswers.ts'
import type { HistoryQuery, ListQuery, TransactionQuery } from '../liteServer.ts'
import { verb } from './verb.ts'
import { readBlock, readWireAccount, unsignedLong, withoutUndefined, writeAccount, writeBlock } from './wireNames.ts'

const ID = { account: 1, lt: 2, hash: 4 } as const
const ALL_OF_ID = 7
const METADATA = 256

type WireMetadata = Bare['liteServer.transactionMetadata']
type WireId = Bare['liteServer.transactionId']

export const readMetadata = ({ depth, initiator, initiator_lt }: WireMetadata): TransactionMetadata => ({
  depth,
  initiator: readWireAccount(initiator),
  initiatorLt: unsignedLong(initiator_lt),
})

export const writeWireMetadata = ({ depth, initiator, initiatorLt }: TransactionMetadata): WireMetadata => ({
  mode: 0,
  depth,
  initiator: writeAccount(initiator),
  initiator_lt: initiatorLt,
})

interface WireList {
  readonly mode: number
  readonly count: number
  readonly after?: Bare['liteServer.transactionId3'] | undefined
  readonly reverse_order?: true | undefined
  readonly want_proof?: true | undefined
}

const readList = ({ mode, count, after, reverse_order, want_proof }: WireList): ListQuery => ({
  count,
  ...(after === undefined ? {} : { after: { account: after.account, lt: unsignedLong(after.lt) } }),
  ...(reverse_order === true ? { reverse: true } : {}),
  ...(want_proof === true ? { wantProof: true } : {}),
  ...((mode & METADATA) === 0 ? {} : { wantMetadata: true }),
})

const writeList = (id: BlockIdExt, { count, after, reverse, wantProof, wantMetadata }: ListQuery) => ({
  id: writeBlock(id),
  mode: ALL_OF_ID | (wantMetadata === true ? METADATA : 0),
  count,
  ...withoutUndefined({
    after,
    reverse_order: reverse === true ? (true as const) : undefined,
    want_proof: wantProof === true ? (true as const) : undefined,
  }),
})

/** The requested parts of an id, and metadata if there is any. */
const writeId = ({ account, lt, hash, metadata }: LiteTransactionId, mode: number): WireId => ({
  mode: mode & ~METADATA,
  ...((mode & ID.account) === 0 ? {} : { account }),
  ...((mode & ID.lt) === 0 ? {} : { lt }),
  ...((mode & ID.hash) === 0 ? {} : { hash }),
  ...((mode & METADATA) === 0 || metadata === null ? {} : { metadata: writeWireMetadata(metadata) }),
})

function readId({ mode, account, lt, hash, metadata }: WireId): LiteTransactionId {
  if (account === undefined || lt === undefined || hash === undefined)
    throw new TlError('value', 'a list leaves out requested parts')
  return { mode, account, lt: unsignedLong(lt), hash, metadata: metadata === undefined ? null : readMetadata(metadata) }
}

const writeHead = (own: BlockTransactionsAnswer | BlockTransactionsExtAnswer) => ({
  id: writeBlock(own.id),
  req_count: own.requestedCount,
  incomplete: own.incomplete,
  proof: own.proof,
})

const readHead = (answer: Answers['listBlockTransactions'] | Answers['listBlockTransactionsExt']) => ({
  id: readBlock(answer.id),
  requestedCount: answer.req_count,
  incomplete: answer.incomplete,
  proof: answer.proof,
})

export const transactionFunctions = {
  getTransactions: verb('getTransactions', {
    request: ({ account, lt, hash, count }: HistoryQuery) => ({
      count,
      account: writeAccount(account),
      lt,
      hash,
    }),
    serve: (server, { count, account, lt, hash }, options) =>
      server.transactions({ account: readWireAccount(account), lt: unsignedLong(lt), hash, count }, options),
    write: ({ ids, transactions }: TransactionsAnswer) => ({ ids: ids.map(writeBlock), transactions }),
    read: ({ ids, transactions }) => ({ ids: ids.map(readBlock), transactions }),
  }),

  getOneTransaction: verb('getOneTransaction', {
    request: (id: BlockIdExt, { account, lt }: TransactionQuery) => ({
      id: writeBlock(id),
      account: writeAccount(account),
      lt,
    }),
    serve: (server, { id, account, lt }, options) =>
      server.oneTransaction(readBlock(id), { account: readWireAccount(account), lt: unsignedLong(lt) }, options),
    write: ({ id, proof, transaction }: TransactionAnswer) => ({ id: writeBlock(id), proof, transaction }),
    read: ({ id, proof, transaction }) => ({ id: readBlock(id), proof, transaction }),
  }),

  listBlockTransactions: verb('listBlockTransactions', {
    request: writeList,
    serve: (server, request, options) => server.listTransactions(readBlock(request.id), readList(request), options),
    write: (own: BlockTransactionsAnswer, { mode }) => ({
      ...writeHead(own),
      ids: own.ids.map((id) => writeId(id, mode)),
    }),
    read: (answer) => ({ ...readHead(answer), ids: answer.ids.map(readId) }),
  }),

  listBlockTransactionsExt: verb('listBlockTransactionsExt', {
    request: writeList,
    serve: (server, request, options) => server.listTransactionsExt(readBlock(request.id), readList(request), options),
    write: (own: BlockTransactionsExtAnswer) => ({ ...writeHead(own), transactions: own.transactions }),
    read: (answer) => ({ ...readHead(answer), transactions: answer.transactions }),
  }),
}
