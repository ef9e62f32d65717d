// What the service's search found, as links. Names are text by strangers.

import { parseAddress, toFriendly } from '../../../shared/address.ts'
import { type CutAddress, cutAddress } from '../../../shared/explorer/classifyText.ts'
import { operationName } from '../../../shared/explorer/operationName.ts'
import { toHex } from '../../../shared/hex.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import type { SearchHit } from '../../../shared/v3/search.ts'
import type { Api } from '../../index.ts'
import { accountPath, foreignText, friendlyForm, knownAccounts, namedAccounts, nameOf } from '../accountNames.ts'
import { operationWords } from '../operations.ts'
import { remembered } from '../remembered.ts'
import { href } from '../router.ts'

export type Search = Api['v3.search']['result']

const KINDS: Readonly<Record<SearchHit['type'], string>> = {
  account: 'Account',
  jetton: 'Jetton',
  nft_collection: 'NFT collection',
  domain: 'Domain',
  transaction: 'Transaction',
  message: 'Message',
  trace: 'Trace',
  block: 'Block',
  code: 'Contract code',
  opcode: 'Opcode',
}

const hexOf = (hash: string | null): string => {
  const bytes = parseHash(hash ?? '')
  return bytes === null ? '' : toHex(bytes)
}

export const ownAccountHit = (account: string): SearchHit => ({
  type: 'account',
  match: 'prefix',
  account,
  name: null,
  symbol: null,
  hash: null,
  block: null,
  opcode: null,
  holders: null,
})

/** The form of an account's address that a text of this beginning is of. */
function formLike(start: string, raw: string): string {
  const address = parseAddress(raw)
  const isRaw = start.includes(':')
  if (address === null || isRaw) return raw
  return toFriendly({ ...address, bounceable: /^[Ek]/.test(start), testOnly: /^[k0]/.test(start) })
}

/** As both alphabets of base64, and hex digits of both cases, have it. */
const inOneSpelling = (text: string): string =>
  text.includes(':') ? text.toUpperCase() : text.replaceAll('+', '-').replaceAll('/', '_')

function isCutOf({ start, end }: CutAddress, raw: string): boolean {
  const whole = formLike(start, raw)
  const head = inOneSpelling(start)
  const tail = whole === raw ? end.toUpperCase() : inOneSpelling(end)
  return whole.startsWith(head) && whole.endsWith(tail)
}

/** Accounts that were met or kept here, by an address without its middle. */
const cutHits = (cut: CutAddress): readonly string[] =>
  [...new Set([...remembered.value.favourites, ...knownAccounts()])].filter((raw) => isCutOf(cut, raw))

const namedHits = (text: string): readonly string[] =>
  [...namedAccounts()].filter(([name]) => name.startsWith(text.toLowerCase())).map(([, raw]) => raw)

/** Accounts that are known here by a text: the beginning of a name, or an address without its middle. */
export function ownHits(text: string, most: number): readonly SearchHit[] {
  const cut = cutAddress(text)
  return (cut === null ? namedHits(text) : cutHits(cut)).slice(0, most).map(ownAccountHit)
}

/** The page of a hit; null for one without a page. */
export function pathOf({ type, account, hash, block, opcode }: SearchHit): string | null {
  if (type === 'block') return block && `/block/${block.workchain}:${block.shard}:${block.seqno}`
  if (type === 'transaction') return `/tx/${hexOf(hash)}`
  if (type === 'message' || type === 'trace') return `/trace/${hexOf(hash)}`
  if (type === 'opcode') return `/search?q=${opcode ?? ''}`
  return account === null ? null : accountPath(account)
}

/** Name of a hit, and what distinguishes it from others of that name. */
function wordsOf({ type, name, symbol, account, hash, block, opcode, holders }: SearchHit): readonly [string, string] {
  if (type === 'block' && block !== null) return [`${block.seqno}`, `${block.workchain}:${block.shard}`]
  if (account !== null) {
    const known = foreignText(name ?? '') || nameOf(account)
    const ticker = symbol === null ? '' : ` (${foreignText(symbol, 16)})`
    const friendly = friendlyForm(account)
    const counted = holders === null ? '' : `${holders >= 500 ? '500+' : holders} ${unit(type, holders)} · `
    return known ? [`${known}${ticker}`, `${counted}${friendly}`] : [friendly, '']
  }
  if (opcode !== null) {
    const words = operationWords(opcode, {}, operationName(name ?? undefined) || null)
    return words === null ? [opcode, ''] : [words, opcode]
  }
  return [hexOf(hash), '']
}

const unit = (type: SearchHit['type'], count: number): string =>
  `${type === 'nft_collection' ? 'item' : 'holder'}${count === 1 ? '' : 's'}`

/** A hit in one line. */
export function HitLine({ hit }: { readonly hit: SearchHit }) {
  const [title, detail] = wordsOf(hit)
  return (
    <span class="hit">
      <span class="tag">{KINDS[hit.type]}</span> <b>{title}</b>
      {detail !== '' && <span class="quiet"> {detail}</span>}
    </span>
  )
}

/** Hits as links, one below the other. */
export const HitList = ({ hits }: { readonly hits: readonly SearchHit[] }) => (
  <ul class="plain hits">
    {hits.map((hit) => {
      const to = pathOf(hit)
      return (
        <li key={`${hit.type} ${hit.account} ${hit.hash} ${hit.name}`}>
          {to === null ? (
            <HitLine hit={hit} />
          ) : (
            <a href={href(to)}>
              <HitLine hit={hit} />
            </a>
          )}
        </li>
      )
    })}
  </ul>
)
