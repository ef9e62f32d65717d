// An address book as bytes. Entries are not cached: to write one takes less time than to look for it.

import { friendlyBytes } from '../../../../shared/address.ts'
import { hashFromBytes } from '../../../cell/index.ts'
import { sorting } from '../../../fairness/index.ts'
import { isSimpleWallet } from '../../../interfaces/index.ts'
import { type AccountNames, type NamedAccount, Repeated, type TextBytes } from '../../../store/index.ts'
import { chainPrefixOf, rankOfChain, workchainOf } from '../../keyOfAccount.ts'
import { CLOSE_OBJECT, OPEN_OBJECT, QUOTE } from '../../view/jsonCodes.ts'
import { addJoined } from '../texts/addJoined.ts'
import { restingPieces } from '../texts/restingPieces.ts'

/** What puts accounts in the order of raw addresses. */
export interface RawOrder {
  /** The key, with a character for each byte. */
  readonly chars: string
  /** Lower for one that comes first, unless both have the same first bytes: faster than to compare texts. */
  readonly order: number
}

export interface BookEntry extends RawOrder {
  readonly names: AccountNames | undefined
}

/** Wallets and undeployed accounts have a non-bounceable form, so that TON sent to them does not bounce. */
export function isBounceable(names: AccountNames | undefined): boolean {
  const code = names?.codeHash ?? null
  return code !== null && !simpleWallets.of(code, 0, code.length)
}

/** By the hash of the code. */
const simpleWallets = new Repeated((hash) => isSimpleWallet(hashFromBytes(hash)))

/** Bytes behind the workchain: with what stands for that, the number is exact. */
const BYTES_OF_ORDER = 5

/** By the text of the workchain, then by the first bytes of the hash. */
export function rawOrderOf(chars: string): number {
  let order = rankOfChain(chars.charCodeAt(0))
  for (let i = 1; i <= BYTES_OF_ORDER; i++) order = order * 256 + chars.charCodeAt(i)
  return order
}

/** In the order of raw addresses. */
export const byRaw = (a: RawOrder, b: RawOrder): number => a.order - b.order || (a.chars < b.chars ? -1 : 1)

export const bookEntryOf = (chars: string, named: ReadonlyMap<string, AccountNames>): BookEntry => ({
  chars,
  order: rawOrderOf(chars),
  names: named.get(chars),
})

/** A friendly form: two bytes, the hash, and its checksum. */
const FRIENDLY = new Uint8Array(36)
const HASH = FRIENDLY.subarray(2, 34)

/** By the list, which accounts of one code have in common. */
const known = new WeakMap<readonly string[], Uint8Array>()

function codesOf(interfaces: readonly string[]): Uint8Array {
  const before = known.get(interfaces)
  if (before !== undefined) return before
  const codes = Uint8Array.from(Buffer.from(JSON.stringify(interfaces)))
  known.set(interfaces, codes)
  return codes
}

const NO_INTERFACES: readonly string[] = []

function addEntry({ chars, names }: BookEntry, testOnly: boolean, to: TextBytes): void {
  const biased = chars.charCodeAt(0)
  for (let i = 0; i < HASH.length; i++) HASH[i] = chars.charCodeAt(i + 1)
  to.byte(QUOTE)
  to.ascii(chainPrefixOf(biased))
  to.hex(HASH, 0, HASH.length)
  to.ascii('":{"user_friendly":"')
  friendlyBytes({ workchain: workchainOf(biased), hash: HASH, bounceable: isBounceable(names), testOnly }, FRIENDLY)
  to.base64Url(FRIENDLY, 0, FRIENDLY.length)
  to.ascii('","domain":')
  const { domain = null, interfaces = NO_INTERFACES } = names ?? {}
  if (domain === null) to.ascii('null')
  else to.string(JSON.stringify(domain))
  to.ascii(',"interfaces":')
  const codes = codesOf(interfaces)
  to.copy(codes, 0, codes.length)
  to.byte(CLOSE_OBJECT)
}

export interface BookParts {
  /** Keys, some more than once; null for those of the rows, each once. */
  readonly accounts: Iterable<string> | null
  /** Of these or more. */
  readonly rows: readonly NamedAccount[]
  /** Friendly forms are marked for test networks. */
  readonly testOnly: boolean
}

/** So many are gone through at once. */
const FEW = 500

/** In no order. */
function* addEntries({ accounts, rows }: BookParts, to: BookEntry[]): Generator<boolean> {
  if (accounts === null) {
    for (const row of rows) {
      to.push({ chars: row.chars, order: rawOrderOf(row.chars), names: row })
      if (to.length % FEW === 0) yield true
    }
    return
  }
  const named = new Map<string, AccountNames>()
  for (const row of rows) {
    named.set(row.chars, row)
    if (named.size % FEW === 0) yield true
  }
  for (const chars of accounts instanceof Set ? accounts : new Set(accounts)) {
    to.push(bookEntryOf(chars, named))
    if (to.length % FEW === 0) yield true
  }
}

/** Each account once, in the order of raw addresses. Yields as `textInSlices` requires. */
export function* addBook(parts: BookParts, to: TextBytes): Generator<boolean> {
  const { testOnly } = parts
  const entries: BookEntry[] = []
  yield* addEntries(parts, entries)
  const sorted = yield* restingPieces(sorting(entries, byRaw), entries.length > FEW)
  to.byte(OPEN_OBJECT)
  yield* addJoined(sorted, (entry) => addEntry(entry, testOnly, to), to)
  to.byte(CLOSE_OBJECT)
}
