// Metadata of tokens as bytes, in slices: the same as `metadataOf` makes. As objects, the tokens of a long page were made, put in order and
// written all at once.

import type { Slicing } from '../../../fairness/index.ts'
import type { AccountKey, DescribedToken, HeldJetton, TextBytes } from '../../../store/index.ts'
import { charsOfKey } from '../../keyOfAccount.ts'
import { CLOSE_OBJECT, COMMA, OPEN_OBJECT, QUOTE } from '../../view/jsonCodes.ts'
import { isIndexed, toDescribedToken } from '../../view/v3/assets/token.ts'
import { addCodes, addRaw, utf8Codes } from '../../view/v3/fieldBytes.ts'
import { Written } from '../../written.ts'
import { byRaw, type RawOrder, rawOrderOf } from '../names/bookText.ts'
import type { TokenMetadata, TokensFound } from '../names/metadata.ts'
import { addJoined } from '../texts/addJoined.ts'
import { textInSlices } from '../texts/textInSlices.ts'

const INDEXED = utf8Codes('":{"is_indexed":true,"token_info":[')
const NOT_INDEXED = utf8Codes('":{"is_indexed":false,"token_info":[')
const TOKENS_END = utf8Codes(']}')
const HELD = utf8Codes('{"valid":true,"type":"jetton_wallets","extra":{"owner":"')
const JETTON = utf8Codes('","jetton":"')
const BALANCE = utf8Codes('","balance":"')
const HELD_END = utf8Codes('"}}')

/** What an account is. */
interface Entry extends RawOrder {
  readonly account: AccountKey
  readonly held: HeldJetton[]
  readonly described: DescribedToken[]
}

/** So many are gone through at once. */
const FEW = 500

function* entriesOf({ held, described }: TokensFound, to: Map<string, Entry>): Generator<boolean> {
  const entryOf = (account: AccountKey): Entry => {
    const chars = charsOfKey(account)
    const known = to.get(chars)
    if (known !== undefined) return known
    const entry = { chars, order: rawOrderOf(chars), account, held: [], described: [] }
    to.set(chars, entry)
    return entry
  }
  let count = 0
  for (const wallet of held) {
    entryOf(wallet.account).held.push(wallet)
    if (++count % FEW === 0) yield true
  }
  for (const token of described) {
    entryOf(token.account).described.push(token)
    if (++count % FEW === 0) yield true
  }
}

function addHeld({ owner, jetton, balance }: HeldJetton, to: TextBytes): void {
  addCodes(HELD, to)
  addRaw(owner, 0, owner.length, to)
  addCodes(JETTON, to)
  addRaw(jetton, 0, jetton.length, to)
  addCodes(BALANCE, to)
  to.ascii(String(balance))
  addCodes(HELD_END, to)
}

function addEntry({ account, held, described }: Entry, to: TextBytes): void {
  to.byte(QUOTE)
  addRaw(account, 0, account.length, to)
  addCodes(described.every(isIndexed) ? INDEXED : NOT_INDEXED, to)
  let isFirst = true
  for (const wallet of held) {
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    addHeld(wallet, to)
  }
  for (const token of described) {
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    to.string(JSON.stringify(toDescribedToken(token)))
  }
  addCodes(TOKENS_END, to)
}

/** Adds the text of `metadataOf`. Yields as `textInSlices` requires. */
export function* addTokens(tokens: TokensFound, to: TextBytes): Generator<boolean> {
  const entries = new Map<string, Entry>()
  yield* entriesOf(tokens, entries)
  const sorted = [...entries.values()].sort(byRaw)
  yield sorted.length > FEW
  to.byte(OPEN_OBJECT)
  yield* addJoined(sorted, addEntry, to)
  to.byte(CLOSE_OBJECT)
}

const NONE = new Written<TokenMetadata>('{}')

/** The same as a text of its own. */
export async function writeTokens(tokens: TokensFound, slicing?: Slicing): Promise<Written<TokenMetadata>> {
  if (tokens.held.length === 0 && tokens.described.length === 0) return NONE
  return new Written(await textInSlices((to) => addTokens(tokens, to), slicing))
}
