// Transactions as finished text. An indexed one never changes except its block: a rollback can remove it and index it again
// in another. So the cache key is its hash and its block, and nothing has to be evicted on a rollback.

import { LRUCache } from 'lru-cache'
import { hashFromBytes } from '../../../cell/index.ts'
import { inSlices, lightInSlices } from '../../../fairness/index.ts'
import {
  type AccountKey,
  type BookRow,
  base64OfSpan,
  bookRead,
  charsOfSpan,
  type MostTransactions,
  type NamedAccount,
  type NewestTransactions,
  type PagedRead,
  type PageOfTraces,
  readAll,
  readTexts,
  readTracePage,
  readTraceTexts,
  readTransactionsByHash,
  type Sql,
  type StatementOptions,
  type StoredText,
  type StoreRead,
  type TextPage,
  type TextSource,
  type TextWishes,
  type TraceRow,
  type TraceText,
  type TraceTexts,
  type TransactionFound,
  type TransactionPlace,
  type TransactionRow,
} from '../../../store/index.ts'
import { charsOfKey } from '../../keyOfAccount.ts'
import { type TreePart, treePartOf } from '../../view/v3/traceTree.ts'
import {
  accountsOfTransaction,
  isLargeTransaction,
  LargeText,
  writeIndexedTransaction,
} from '../../view/v3/transaction.ts'
import { readBoundedParts } from '../bounded/boundedParts.ts'
import { ofOneState } from '../oneState.ts'
import { sentHashesOf, textVersion } from '../texts/storedText.ts'
import { isStored, type ListedTexts, type TransactionText } from './writtenList.ts'

/** A transaction of a trace. */
export interface WrittenPart extends TreePart {
  /** Its id, with a character for each byte. */
  readonly trace: string
  readonly text: TransactionText['text'] | StoredText
}

/** Transactions of traces, and what is known of the accounts of those whose texts are stored. */
export interface WrittenTexts extends Omit<TraceTexts, 'found'> {
  readonly parts: readonly WrittenPart[]
  /** Accounts of the others. */
  readonly unnamed: readonly AccountKey[]
}

type WantedNames = Pick<TextWishes, 'book' | 'tokens'>

/** Some two thousand of the usual size: those of a second or two, until their texts are stored in the index. */
const MOST_BYTES = 6 << 20
/** Of an account or a hash, and of anything kept next to its text. */
const NAME_BYTES = 150
const BYTES_BESIDE = 500

interface KeptText extends TransactionText {
  readonly text: Exclude<TransactionText['text'], LargeText>
}

const sizeOf = ({ text, accounts, part }: KeptText): number =>
  text.json.length + (accounts.length + part.sent.length) * NAME_BYTES + BYTES_BESIDE

const nameOf = ({ hash, mcSeqno, block, traceId, traceExternalHash }: TransactionRow): string =>
  `${hashFromBytes(hash)}${hashFromBytes(traceId)}${traceExternalHash === null ? '' : hashFromBytes(traceExternalHash)}` +
  `${mcSeqno},${block.workchain},${block.shard},${block.seqno}`

/**
 * Of states inside a block only the hash is known, and of those before the index began. That changes when the index begins
 * again, or a block is made again with less in it: until then the old text is used.
 */
const PARTIAL_MS = 10_000

const isWhole = ({ row, inMessage, before, after }: TransactionFound): boolean =>
  before !== null && after !== null && (inMessage !== null || row.inMsgHash === null)

const NONE: ReadonlyMap<string, TransactionText> = new Map()

function partOf(
  { hash, inMsgHash, traceId, stored }: TraceText,
  others: ReadonlyMap<string, TransactionText>,
): WrittenPart | null {
  const trace = charsOfSpan(traceId)
  if (!isStored(stored)) {
    const made = others.get(hashFromBytes(stored.hash))
    return made === undefined ? null : { trace, ...made.part, text: made.text }
  }
  const taken = inMsgHash === null ? null : base64OfSpan(inMsgHash)
  return { trace, hash: base64OfSpan(hash), inMsgHash: taken, sent: sentHashesOf(stored), text: stored }
}

/** Accounts of some texts whose names were not read with the list. */
function unnamedIn(texts: ReadonlyMap<string, TransactionText>, book: readonly NamedAccount[]): AccountKey[] {
  const named = new Set(book.map(({ chars }) => chars))
  return [...texts.values()].flatMap(({ accounts }) => accounts).filter((key) => !named.has(charsOfKey(key)))
}

const toNamed = ({ account, ...names }: BookRow): NamedAccount => ({ chars: charsOfKey(account), ...names })

interface Clock {
  /** Milliseconds from any moment. */
  now(): number
}

export interface WrittenParts {
  /** What this process has written last into the same store. */
  readonly newest?: Pick<NewestTransactions, 'get' | 'rowOf'> | undefined
  readonly clock?: Clock
}

export class WrittenTransactions {
  readonly #store: Sql
  readonly #newest: WrittenParts['newest']
  readonly #kept: LRUCache<string, KeptText>

  constructor(store: Sql, { newest, clock = performance }: WrittenParts = {}) {
    this.#store = store
    this.#newest = newest
    this.#kept = new LRUCache({ maxSize: MOST_BYTES, sizeCalculation: sizeOf, perf: clock })
  }

  /**
   * Texts of some rows, in their order, without those that were removed meanwhile: the side data is read only for those not
   * cached.
   */
  async of(rows: readonly TransactionRow[], options?: StatementOptions): Promise<TransactionText[]> {
    const texts = new Map<TransactionRow, TransactionText>()
    const recall = (row: TransactionRow): void => {
      const known = this.#kept.get(nameOf(row))
      if (known !== undefined) texts.set(row, known)
    }
    await inSlices(rows, recall, options)
    const found = await this.#find(
      rows.filter((row) => !texts.has(row)),
      options,
    )
    await inSlices(found, (one) => texts.set(one.row, this.#toBeWritten(one)), options)
    return rows.flatMap((row) => texts.get(row) ?? [])
  }

  /** A list, by its stored texts as far as there are any: all of it in one statement, when no text is missing. */
  async list(source: TextSource, options: StatementOptions, withBook: boolean): Promise<ListedTexts> {
    const parts = { version: textVersion(), book: withBook }
    const read = () => readTexts(this.#store, source, parts, options)
    const placesOf = ({ found }: TextPage) => found.filter((one): one is TransactionPlace => !isStored(one))
    const { page, others } = await this.#withUnstored(read, placesOf, options)
    if (others.size === 0) return { ...page, others }
    const unnamed = withBook ? unnamedIn(others, page.book) : []
    // Waited for together: a read that fails while texts are still written would be an unhandled rejection, and end the process.
    const [more] = await Promise.all([
      unnamed.length === 0 ? [] : readAll(this.#store, bookRead(unnamed), options),
      inSlices([...others.values()], ({ text }) => text, options),
    ])
    return { ...page, others, book: [...page.book, ...more.map(toNamed)] }
  }

  /** Transactions of traces, in the order of the read. */
  async ofTraces(
    read: StoreRead<TransactionRow>,
    names: WantedNames,
    options: StatementOptions,
  ): Promise<WrittenTexts> {
    return await this.#written(
      () => readTraceTexts(this.#store, read, { version: textVersion(), ...names }, options),
      options,
    )
  }

  /** A page of traces with the transactions of those that are not too large. */
  async tracePage(
    read: PagedRead<TraceRow>,
    wanted: WantedNames & { readonly most: MostTransactions },
    options: StatementOptions,
  ): Promise<WrittenTexts & Pick<PageOfTraces, 'rows' | 'next'>> {
    return await this.#written(
      () => readTracePage(this.#store, read, { version: textVersion(), ...wanted }, options),
      options,
    )
  }

  async #written<P extends TraceTexts>(
    read: () => Promise<P>,
    options: StatementOptions,
  ): Promise<WrittenTexts & Omit<P, 'found'>> {
    const placesOf = ({ found }: P) => found.flatMap(({ stored }) => (isStored(stored) ? [] : [stored]))
    const { page, others } = await this.#withUnstored(read, placesOf, options)
    const { found, ...names } = page
    const parts = await lightInSlices(found, (one) => partOf(one, others), options)
    const unnamed = [...others.values()].flatMap(({ accounts }) => accounts)
    return { ...names, parts: parts.filter((part) => part !== null), unnamed }
  }

  /**
   * What is read, and the texts of those without a stored one, by their hashes. When some were removed meanwhile, or are in another
   * block now, all is read again: it is of one state.
   */
  async #withUnstored<P>(
    read: () => Promise<P>,
    placesOf: (page: P) => readonly TransactionPlace[],
    options: StatementOptions,
  ) {
    const both = async () => {
      const page = await read()
      const places = placesOf(page)
      return { page, places, others: places.length === 0 ? NONE : await this.#unstored(places, options) }
    }
    return await ofOneState(both, ({ places, others }) => places.every(({ hash }) => others.has(hashFromBytes(hash))))
  }

  /** Texts by the hashes, of those that are still in their blocks. */
  async #unstored(places: readonly TransactionPlace[], options: StatementOptions) {
    const cached = places.map((place) => this.#newest?.rowOf(place))
    const others = places.filter((_, i) => cached[i] === undefined).map(({ hash }) => hash)
    const read = await readTransactionsByHash(this.#store, others, options)
    const blocks = new Map(places.map(({ hash, mcSeqno }) => [hashFromBytes(hash), mcSeqno]))
    const there = read.filter(({ hash, mcSeqno }) => blocks.get(hashFromBytes(hash)) === mcSeqno)
    const made = await this.of([...cached.filter((row) => row !== undefined), ...there], options)
    return new Map(made.map((one) => [one.hash, one]))
  }

  async #find(rows: readonly TransactionRow[], options?: StatementOptions): Promise<readonly TransactionFound[]> {
    const known = rows.map((row) => this.#newest?.get(row))
    const kept = known.filter((one) => one !== undefined)
    const others = rows.filter((_, i) => known[i] === undefined)
    return [...kept, ...(await readBoundedParts(this.#store, { kept, others }, options))]
  }

  #toBeWritten(found: TransactionFound): TransactionText {
    const extras = {
      hash: hashFromBytes(found.row.hash),
      part: treePartOf(found),
      accounts: accountsOfTransaction(found),
    }
    if (isLargeTransaction(found)) return { text: new LargeText(found), ...extras }
    let made: KeptText | null = null
    const write = (): KeptText => {
      made = { text: writeIndexedTransaction(found), ...extras }
      this.#kept.set(nameOf(found.row), made, isWhole(found) ? {} : { ttl: PARTIAL_MS })
      return made
    }
    return {
      ...extras,
      get text() {
        return (made ?? write()).text
      },
    }
  }
}
