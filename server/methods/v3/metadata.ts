// Which tokens accounts are: two statements, sent at once, for all accounts of an answer, however often each occurs in it.

import type { z } from 'zod'
import type { Metadata } from '../../../shared/v3/sideObjects.ts'
import {
  type AccountKey,
  describedTokensRead,
  heldJettonsRead,
  readAll,
  type Sql,
  type StatementOptions,
} from '../../store/index.ts'
import { rawOfKey } from '../keyOfAccount.ts'
import { isIndexed, toDescribedToken, toHeldJetton } from '../view/v3/assets/token.ts'

export type TokenMetadata = z.output<typeof Metadata>

export type ReadMetadata = (accounts: Iterable<AccountKey>, options?: StatementOptions) => Promise<TokenMetadata>

type Facts = TokenMetadata[string]

export const createMetadata =
  (store: Sql): ReadMetadata =>
  async (accounts, options) => {
    const keys = new Map<string, AccountKey>()
    for (const key of accounts) keys.set(rawOfKey(key), key)
    if (keys.size === 0) return {}
    const named = [...keys.values()]
    // A wallet is shown with the metadata of its jetton, which the second read finds by itself: both are sent at once.
    const [held, described] = await Promise.all([
      readAll(store, heldJettonsRead(named), options),
      readAll(store, describedTokensRead(named), options),
    ])
    const facts = new Map<string, Facts>()
    const add = (account: AccountKey, info: Facts['token_info'][number], indexed: boolean) => {
      const raw = rawOfKey(account)
      const known = facts.get(raw) ?? { is_indexed: true, token_info: [] }
      facts.set(raw, { is_indexed: known.is_indexed && indexed, token_info: [...known.token_info, info] })
    }
    for (const wallet of held) add(wallet.account, toHeldJetton(wallet), true)
    for (const token of described) add(token.account, toDescribedToken(token), isIndexed(token))
    return Object.fromEntries([...facts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
