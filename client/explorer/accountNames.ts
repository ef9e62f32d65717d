// Names of accounts: of the test accounts on devnet, of the chain's own contracts, and what the service says in its replies.

import { signal } from '@preact/signals'
import { parseAddress, toFriendly, toRawUpper } from '../../shared/address.ts'
import type { AddressBook, Metadata, TokenInfo } from '../index.ts'
import { boot } from './pageBoot.ts'

const ZEROS = '0'.repeat(64)
const CHAIN: Readonly<Record<string, string>> = {
  [`-1:${ZEROS}`]: 'system',
  [`-1:${'3'.repeat(64)}`]: 'elector',
  [`-1:${'5'.repeat(64)}`]: 'configuration',
  [`0:${ZEROS}`]: 'zero address',
}

const book = new Map<string, AddressBook[string]>()
const tokens = new Map<string, TokenInfo>()
const own = new Map<string, string>()

/** Changes whenever something new is known. */
const version = signal(0)

interface Side {
  readonly address_book?: AddressBook | undefined
  readonly metadata?: Metadata | undefined
}

/** Takes over what goes with a reply. */
export function learn({ address_book = {}, metadata = {} }: Side): void {
  let isNew = false
  for (const [raw, row] of Object.entries(address_book)) {
    const before = book.get(raw)
    isNew ||= before?.domain !== row.domain || before?.user_friendly !== row.user_friendly
    book.set(raw, row)
  }
  for (const [raw, { token_info }] of Object.entries(metadata)) {
    const [info] = token_info
    if (info !== undefined) {
      isNew ||= !tokens.has(raw)
      tokens.set(raw, info)
    }
  }
  if (isNew) version.value++
}

/** Names of the accounts that come with the embedded chain. */
export function learnAccounts(accounts: readonly { readonly name: string; readonly address: string }[]): void {
  for (const { name, address } of accounts) {
    const raw = rawOf(address)
    if (raw !== null) own.set(raw, foreignText(name))
  }
  version.value++
}

function rawOf(text: string): string | null {
  const address = parseAddress(text)
  return address && toRawUpper(address)
}

/** Characters that reorder or hide the text around them. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const LONGEST_NAME = 64

/** Text by strangers, such as a token's name: without control characters, and short. */
export function foreignText(text: string, longest = LONGEST_NAME): string {
  const plain = text.replace(DECEPTIVE, '').trim()
  const characters = [...plain.slice(0, longest * 4)]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('')
}

/** Accounts with a name of their own here, by that name in lowercase. */
export const namedAccounts = (): ReadonlyMap<string, string> =>
  new Map([...Object.entries(CHAIN), ...own].map(([raw, name]) => [name.toLowerCase(), raw]))

/** What people call an account; null when it has no name. */
export function nameOf(raw: string): string | null {
  void version.value
  const known = own.get(raw) ?? CHAIN[raw]
  if (known !== undefined) return known
  const domain = book.get(raw)?.domain
  if (domain) return foreignText(domain)
  const token = tokens.get(raw)
  return token?.type === 'jetton_masters' && token.symbol ? foreignText(token.symbol, 16) : null
}

/** The one friendly form pages show, as the service's replies do. */
export function friendlyOf(raw: string): string {
  void version.value
  const known = book.get(raw)?.user_friendly
  if (known) return known
  const address = parseAddress(raw)
  return address === null ? raw : toFriendly({ ...address, bounceable: true, testOnly: boot.network !== 'mainnet' })
}

export const interfacesOf = (raw: string): readonly string[] => {
  void version.value
  return book.get(raw)?.interfaces ?? []
}

export const tokenOf = (raw: string): TokenInfo | undefined => {
  void version.value
  return tokens.get(raw)
}

/** Decimals of a jetton by its master; 9 when it does not say. */
export function decimalsOf(master: string): number {
  const decimals = Number(tokenOf(master)?.extra?.decimals ?? 9)
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 255 ? decimals : 9
}
