// Names of accounts: of the test accounts on devnet, of the chain's own contracts, and what the service says in its replies.

import { batch, type Signal, signal } from '@preact/signals'
import { parseAddress, toFriendly, toRawUpper } from '../../shared/address.ts'
import { CHAIN_NAMES } from '../../shared/explorer/chainNames.ts'
import type { AddressBook, Metadata, TokenInfo } from '../index.ts'
import { drawnAs, readsAsAddress } from './lookalikes.ts'
import { boot } from './pageBoot.ts'

const book = new Map<string, AddressBook[string]>()
const tokens = new Map<string, TokenInfo & { readonly is_indexed: boolean }>()
const own = new Map<string, string>()
/** By the person in front of the page. */
const given = new Map<string, string>()
const forms = new Map<string, string>()
/** As it is drawn, without points and lines between its letters, if it has any. */
const lettersOf = (name: string): string => drawnAs(name).replace(/[^\p{L}\p{N}]/gu, '') || drawnAs(name)
const TON = lettersOf('TON')
/** Names of ours, as they are drawn. */
const taken = new Set([TON, ...Object.values(CHAIN_NAMES).map(lettersOf)])

/** Changes with the names of test accounts. */
const version = signal(0)

/** Changes of single accounts: in a list of thousands, news of one are drawn where it is. */
const changes = new Map<string, Signal<number>>()

/** What draws this is drawn again when something new is known of the account. */
function follow(raw: string): void {
  void version.value
  const change = changes.get(raw) ?? signal(0)
  changes.set(raw, change)
  void change.value
}

function isNews(raw: string): void {
  const change = changes.get(raw)
  if (change !== undefined) change.value++
}

interface Side {
  readonly address_book?: AddressBook | undefined
  readonly metadata?: Metadata | undefined
}

/** Takes over what goes with a reply, if it has such parts. */
export function learn(reply: unknown): void {
  const { address_book = {}, metadata = {} }: Side = reply ?? {}
  const news = new Set<string>()
  for (const [raw, row] of Object.entries(address_book)) {
    const before = book.get(raw)
    if (before?.domain !== row.domain || before?.user_friendly !== row.user_friendly) news.add(raw)
    book.delete(raw)
    book.set(raw, row)
  }
  for (const [raw, { token_info, is_indexed }] of Object.entries(metadata)) {
    const [info] = token_info
    if (info !== undefined) {
      if (tokens.get(raw)?.is_indexed !== is_indexed) news.add(raw)
      tokens.delete(raw)
      tokens.set(raw, { ...info, is_indexed })
    }
  }
  forgetOldest(book)
  forgetOldest(tokens)
  forgetOldest(changes)
  batch(() => news.forEach(isNews))
}

/** A page that is open for days reads about ever more accounts. What it shows was in its newest replies. */
const MOST_KNOWN = 20_000

function forgetOldest(known: Map<string, unknown>): void {
  for (const raw of known.keys()) {
    if (known.size <= MOST_KNOWN) return
    known.delete(raw)
  }
}

interface NamedAccount {
  readonly name: string
  readonly address: string
  /** As the service's replies have it. */
  readonly friendly?: string
}

/** Names of the accounts that come with the embedded chain. */
export function learnAccounts(accounts: readonly NamedAccount[]): void {
  let hasNews = false
  for (const { name: text, address, friendly } of accounts) {
    const raw = rawOf(address)
    const name = foreignText(text)
    if (raw === null || (own.get(raw) === name && forms.get(raw) === (friendly ?? forms.get(raw)))) continue
    hasNews = true
    own.set(raw, name)
    taken.add(lettersOf(name))
    if (friendly !== undefined) forms.set(raw, friendly)
  }
  // They are read again with every step to another page, and all accounts of a page are drawn from them.
  if (hasNews) version.value++
}

/** Takes the names that a person gave: addresses, each with its name behind a space. */
export function takeGivenNames(lines: readonly string[]): void {
  given.clear()
  for (const line of lines) {
    const [raw = '', ...words] = line.split(' ')
    const name = foreignText(words.join(' '))
    if (name === '') continue
    given.set(raw, name)
    taken.add(lettersOf(name))
  }
  version.value = version.peek() + 1
}

export const givenName = (raw: string): string | undefined => given.get(raw)

function rawOf(text: string): string | null {
  const address = parseAddress(text)
  return address && toRawUpper(address)
}

/** Characters that reorder or hide the text around them. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** Letters of no script have more marks than this: they would be drawn over the lines around them. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu
/** What separates words: ends of lines, and letters that are drawn as nothing, too. */
const BLANK = /[\n\r\t\u115f\u1160\u2800\u3164\uffa0]/g
const LONGEST_NAME = 64
/** So many units of a text are looked at, for each letter that is shown. */
const ROOM = 16

/** Text by strangers, such as a token's name: without control characters, and short. Empty when nothing of it is seen. */
export function foreignText(text: string, longest = LONGEST_NAME): string {
  const seen = text
    .slice(0, longest * ROOM)
    .replace(BLANK, ' ')
    .replace(DECEPTIVE, '')
  // Marks alone, of which many are drawn as nothing.
  if (!/[^\p{M}\s]/u.test(seen)) return ''
  const characters = [...seen.trim().replace(PILED_MARKS, '$1')]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('')
}

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** A value as JSON, for people: with escapes in place of characters that reorder or hide text. Short. */
export function plainJson(value: unknown, longest: number): string {
  const text = JSON.stringify(value) ?? 'undefined'
  const shown = text.slice(0, longest).replace(DECEPTIVE, escaped)
  return text.length > longest ? `${shown}… (${text.length} characters)` : shown
}

/** Raw addresses this page has met, those of named accounts too. */
export const knownAccounts = (): ReadonlySet<string> =>
  new Set([...given.keys(), ...own.keys(), ...Object.keys(CHAIN_NAMES), ...book.keys()])

/** Accounts with a name of their own here, by that name in lowercase. */
export const namedAccounts = (): ReadonlyMap<string, string> =>
  new Map([...Object.entries(CHAIN_NAMES), ...own, ...given].map(([raw, name]) => [name.toLowerCase(), raw]))

/** Whether a stranger's name reads like one of ours, or like an address: the address itself is shown then. */
const isMisleading = (name: string): boolean => taken.has(lettersOf(name)) || readsAsAddress(name)

/** What people call an account; null when it has no name. */
export function nameOf(raw: string): string | null {
  follow(raw)
  const known = given.get(raw) ?? own.get(raw) ?? CHAIN_NAMES[raw]
  if (known !== undefined) return known
  const domain = book.get(raw)?.domain
  if (domain && !isMisleading(domain)) return foreignText(domain)
  const token = tokens.get(raw)
  const symbol = token?.type === 'jetton_masters' ? foreignText(token.symbol ?? '', 16) : ''
  return symbol === '' || isMisleading(symbol) ? null : symbol
}

/** The one friendly form pages show, as the service's replies do. */
export function friendlyForm(raw: string): string {
  follow(raw)
  const known = book.get(raw)?.user_friendly ?? forms.get(raw)
  if (known) return known
  const address = parseAddress(raw)
  return address === null ? raw : toFriendly({ ...address, bounceable: true, testOnly: boot.network !== 'mainnet' })
}

/** The path of an account's page. */
export const accountPath = (raw: string, tab?: string): string =>
  `/address/${friendlyForm(raw)}${tab === undefined ? '' : `?tab=${tab}`}`

export const interfacesOf = (raw: string): readonly string[] => {
  follow(raw)
  return book.get(raw)?.interfaces ?? []
}

export const tokenOf = (raw: string) => {
  follow(raw)
  return tokens.get(raw)
}

/** What an item is called: a domain by its name, any other by its metadata, else by its number; empty when none is known. */
export function itemName(item: string | null, index: string | null): string {
  const { name = '', extra: { domain } = {} } = (item !== null && tokenOf(item)) || {}
  const own = foreignText(typeof domain === 'string' ? domain : name)
  return own === '' && index !== null ? `#${foreignText(index, 12)}` : own
}

/** What the page of an account calls it: an item and a collection have the name their makers gave them. */
export function pageNameOf(raw: string): string | null {
  const name = tokenOf(raw)?.type?.startsWith('nft_') ? itemName(raw, null) : ''
  return nameOf(raw) ?? (name === '' || isMisleading(name) ? null : name)
}

/** What would be read as the rest of the number in front of it. A digit after Hebrew or Arabic letters is drawn to their left. */
const GOES_ON = /^[^\p{L}\p{M}\p{Sc}\p{So}]|[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}].*\p{N}/u

/**
 * Decimals of a jetton by its master: 9 when it does not say, null when what it says was not read. Jettons of an emulation are
 * never indexed, also those whose whole description is on chain.
 */
export function decimalsOf(master: string): number | null {
  const { extra, is_indexed } = tokenOf(master) ?? {}
  const text = String(extra?.decimals ?? '').trim()
  if (/^\d+$/.test(text) && Number(text) <= 255) return Number(text)
  return is_indexed || !extra?.uri ? 9 : null
}

/**
 * Ticker of a jetton by its master, with `units` behind it where its decimals are not known: one that calls itself TON is said to be
 * a jetton, `000 000` is in quotes.
 */
export function symbolOf(master: string): string {
  const symbol = foreignText(tokenOf(master)?.symbol ?? '', 16)
  const shown = GOES_ON.test(symbol) ? `“${symbol}”` : symbol || 'jetton'
  const isTon = [symbol, ...symbol.split(/[^\p{L}\p{M}\p{N}]/u)].map(lettersOf).includes(TON)
  return `${shown}${isTon ? ' (a jetton)' : ''}${decimalsOf(master) === null ? ' units' : ''}`
}
