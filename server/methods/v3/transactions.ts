import { ApiError } from '../../../shared/errors.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { transactionsV3 } from '../../../shared/v3/transactions.ts'
import { hashFromBytes } from '../../cell/index.ts'
import { MASTERCHAIN } from '../../node/index.ts'
import {
  adjacentRead,
  endsOfMessagesRead,
  type PagedRead,
  type PageRequest,
  readAll,
  type Sql,
  type TextSource,
  type TransactionRow,
  transactionsByMessageRead,
  transactionsRead,
  type UnpackedText,
  withTimesOfLts,
} from '../../store/index.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { openPage, type PageParams } from '../paging.ts'
import { CLOSE_OBJECT, OPEN_OBJECT } from '../view/jsonCodes.ts'
import { Written } from '../written.ts'
import { demandKept, type ListEnd, whileKept } from './kept/demandKept.ts'
import { demandMaster } from './kept/demandMaster.ts'
import type { SideObjects } from './names/sideObjects.ts'
import { textInSlices } from './texts/textInSlices.ts'
import { addTransactionList, isEmptyList, type ListedTexts } from './written/writtenList.ts'
import { WrittenTransactions } from './written/writtenTransactions.ts'

type Methods = typeof transactionsV3
type Found = PagedRead<TransactionRow>
type WantedMessages = Parameters<typeof transactionsByMessageRead>[0]

interface ParsedQuery {
  readonly method: string
  readonly params: PageParams
  /** An unknown masterchain block is another answer than an empty one. */
  readonly end?: ListEnd
}

const NO_NEIGHBOURS = 'adjacent transactions not found'
const NO_NAME = 'at least one of msg_hash, body_hash, opcode should be specified'
const ONLY_DIRECTION = 'direction can be specified only with msg_hash or opcode'
const NO_HASH = 'with other filters, body_hash and opcode need a msg_hash'

type MessageParams = Pick<
  Params<Methods['v3.transactions']>,
  'msg_hash' | 'body_hash' | 'opcode' | 'direction' | 'source' | 'destination'
>

/** The filter of messages in the parameters; null without one. Throws ApiError for one that names no message. */
function messageIn(params: MessageParams): WantedMessages | null {
  const { msg_hash, body_hash, opcode, direction, source, destination } = params
  const filter = { hashes: msg_hash, bodyHash: body_hash, opcode, direction, source, destination }
  if (!isAnyGiven(filter)) return null
  if (msg_hash === undefined && opcode === undefined && direction !== undefined)
    throw new ApiError('invalidParams', ONLY_DIRECTION, { param: 'direction' })
  if (msg_hash === undefined && body_hash === undefined && opcode === undefined)
    throw new ApiError('invalidParams', NO_NAME)
  return filter
}

const isAnyGiven = (values: object): boolean => Object.values(values).some((value) => value !== undefined)

interface WholeParts {
  readonly members: Readonly<Record<string, unknown>>
  readonly list: ListedTexts
  /** Null for an answer without names. */
  readonly side: SideObjects | null
}

/** Adds an answer. */
function* addWhole({ members, list, side }: WholeParts, to: UnpackedText): Generator<boolean> {
  const accounts = new Set<string>()
  to.byte(OPEN_OBJECT)
  for (const [name, member] of Object.entries(members)) to.string(`${JSON.stringify(name)}:${JSON.stringify(member)},`)
  to.ascii('"transactions":')
  yield* addTransactionList(list, to, accounts)
  to.ascii(',"address_book":')
  if (side === null) to.ascii('{}')
  else yield* side.addBook(accounts, list.book, to)
  to.byte(CLOSE_OBJECT)
}

/** Pages of transactions with everything in them and next to them. */
class TransactionPages {
  readonly #store: Sql
  readonly #side: SideObjects
  readonly #written: WrittenTransactions

  constructor(store: Sql, side: SideObjects, written: WrittenTransactions) {
    this.#store = store
    this.#side = side
    this.#written = written
  }

  list(source: TextSource, call: Call): Promise<ListedTexts> {
    return this.#written.list(source, call, !call.modifiers.noAddressBook)
  }

  /** All of an answer in one text, in as few pieces as it can be: to put pieces together takes longer than to write them. */
  async whole<R>(members: Readonly<Record<string, unknown>>, list: ListedTexts, call: Call) {
    const parts = { members, list, side: call.modifiers.noAddressBook ? null : this.#side }
    return new Written<R>(await textInSlices((to) => addWhole(parts, to), call))
  }

  /** Hashes of the transactions that sent or received the messages; with a list, of those in it. */
  async ends(message: WantedMessages, among: readonly Uint8Array[] | undefined, call: Call): Promise<Uint8Array[]> {
    const { hashes } = message
    if (hashes === undefined) throw new ApiError('invalidParams', NO_HASH)
    const found = await readAll(this.#store, endsOfMessagesRead({ ...message, hashes }), call)
    if (among === undefined) return found
    const wanted = new Set(among.map(hashFromBytes))
    return found.filter((hash) => wanted.has(hashFromBytes(hash)))
  }

  /** One page of what a read finds, and where the next one begins. */
  async page({ method, params, end = {} }: ParsedQuery, call: Call, read: (ask: PageRequest) => Found) {
    const { ask, cursor } = openPage(method, params)
    const found = await whileKept(this.#store, end, () => this.list(read(ask), call))
    // Where there is something the block is there too.
    const seqno = end.mcSeqno ?? end.masterSeqno
    if (seqno !== undefined && isEmptyList(found)) await demandMaster(this.#store, seqno, call)
    return await this.whole<Result<Methods['v3.transactions']>>({ cursor: cursor(found.next) }, found, call)
  }
}

export function indexedTransactionHandlers(
  store: Sql,
  side: SideObjects,
  written = new WrittenTransactions(store),
): WritingHandlers<Methods> {
  const pages = new TransactionPages(store, side, written)
  return {
    async 'v3.transactions'(params, call) {
      const { workchain, shard, seqno, mc_seqno, account, exclude_account, hash, lt, trace_id, sort } = params
      if (workchain === MASTERCHAIN) await demandKept(store, { masterSeqno: seqno })
      const filter = {
        workchain,
        shard,
        seqno,
        mcSeqno: mc_seqno,
        accounts: account,
        excludeAccounts: exclude_account,
        hashes: hash,
        lt,
        traceId: trace_id,
        startUtime: params.start_utime,
        endUtime: params.end_utime,
        startLt: params.start_lt,
        endLt: params.end_lt,
        excludeSystem: params.exclude_system,
      }
      const query = { method: 'v3.transactions', params, end: filter }
      const message = messageIn(params)
      const { excludeSystem, ...others } = filter
      if (message !== null && !isAnyGiven(others) && !excludeSystem)
        return pages.page(query, call, (ask) => transactionsByMessageRead(message, ask, sort))
      const named = message === null ? filter : { ...filter, hashes: await pages.ends(message, hash, call) }
      const bounded = await withTimesOfLts(store, named, call)
      return pages.page(query, call, (ask) => transactionsRead(bounded, ask, sort))
    },

    async 'v3.transactionsByMasterchainBlock'(params, call) {
      const { seqno, sort } = params
      const query = { method: 'v3.transactionsByMasterchainBlock', params, end: { masterSeqno: seqno } }
      return pages.page(query, call, (ask) => transactionsRead({ mcSeqno: seqno }, ask, sort))
    },

    async 'v3.transactionsByMessage'(params, call) {
      const { msg_hash, body_hash, opcode, direction, source, destination, sort } = params
      if (msg_hash === undefined && body_hash === undefined && opcode === undefined) {
        throw new ApiError('invalidParams', NO_NAME)
      }
      const filter = { hashes: msg_hash, bodyHash: body_hash, opcode, direction, source, destination }
      const query = { method: 'v3.transactionsByMessage', params }
      return pages.page(query, call, (ask) => transactionsByMessageRead(filter, ask, sort))
    },

    async 'v3.adjacentTransactions'({ hash, direction = null }, call) {
      const found = hash === undefined ? null : await pages.list(adjacentRead(hash, direction), call)
      if (found === null || isEmptyList(found)) throw new ApiError('notFound', NO_NEIGHBOURS)
      return await pages.whole<Result<Methods['v3.adjacentTransactions']>>({}, found, call)
    },
  }
}
