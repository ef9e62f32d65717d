// Which tokens accounts are: one statement for all accounts of an answer, however often each occurs in it.

import type { z } from 'zod'
import type { Metadata } from '../../../../shared/v3/sideObjects.ts'
import {
  type AccountKey,
  type DescribedToken,
  type HeldJetton,
  readSides,
  type Sql,
  type StatementOptions,
} from '../../../store/index.ts'
import { charsOfKey, rawOfKey } from '../../keyOfAccount.ts'
import { isIndexed, toDescribedToken, toHeldJetton } from '../../view/v3/assets/token.ts'
import { demandShortTokens } from '../bounded/boundedLists.ts'

export type TokenMetadata = z.output<typeof Metadata>

export type ReadMetadata = (accounts: Iterable<AccountKey>, options?: StatementOptions) => Promise<TokenMetadata>

type Facts = TokenMetadata[string]

export interface TokensFound {
  readonly held: readonly HeldJetton[]
  readonly described: readonly DescribedToken[]
}

/** Both, each token once: accounts that are read twice are so, and jettons of wallets that are not read together. */
export function togetherTokens(some: TokensFound, more: TokensFound): TokensFound {
  const nameOf = ({ account, kind }: DescribedToken): string => `${kind} ${charsOfKey(account)}`
  const held = new Set(some.held.map(({ account }) => charsOfKey(account)))
  const described = new Set(some.described.map(nameOf))
  return {
    held: [...some.held, ...more.held.filter(({ account }) => !held.has(charsOfKey(account)))],
    described: [...some.described, ...more.described.filter((token) => !described.has(nameOf(token)))],
  }
}

export function metadataOf({ held, described }: TokensFound): TokenMetadata {
  const facts = new Map<string, Facts>()
  const add = (account: AccountKey, info: Facts['token_info'][number], indexed: boolean) => {
    const raw = rawOfKey(account)
    const known = facts.get(raw)
    if (known === undefined) facts.set(raw, { is_indexed: indexed, token_info: [info] })
    else {
      known.is_indexed &&= indexed
      known.token_info.push(info)
    }
  }
  for (const wallet of held) add(wallet.account, toHeldJetton(wallet), true)
  for (const token of described) add(token.account, toDescribedToken(token), isIndexed(token))
  return Object.fromEntries([...facts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Of accounts, each once. */
const readTokensOf = (store: Sql, accounts: readonly AccountKey[], options?: StatementOptions): Promise<TokensFound> =>
  readSides(store, accounts, { book: false, tokens: true }, options)

export const createMetadata =
  (store: Sql): ReadMetadata =>
  async (accounts, options) => {
    const keys = new Map<string, AccountKey>()
    for (const key of accounts) keys.set(rawOfKey(key), key)
    const wanted = [...keys.values()]
    await demandShortTokens(store, wanted, options)
    return wanted.length === 0 ? {} : metadataOf(await readTokensOf(store, wanted, options))
  }
