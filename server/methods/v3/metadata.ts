// Which tokens accounts are: two statements for all accounts of an answer, however often each occurs in it.

import type { z } from 'zod'
import type { Metadata } from '../../../shared/v3/sideObjects.ts'
import {
  type AccountKey,
  describedTokensRead,
  heldJettonsRead,
  type QueryOptions,
  readAll,
  type Sql,
} from '../../store/index.ts'
import { rawOfKey } from '../accountKey.ts'
import { isIndexed, toDescribedToken, toHeldJetton } from '../view/v3/assets/token.ts'

export type TokenFacts = z.output<typeof Metadata>

export type ReadMetadata = (accounts: Iterable<AccountKey>, options?: QueryOptions) => Promise<TokenFacts>

type Facts = TokenFacts[string]

export const createMetadata =
  (store: Sql): ReadMetadata =>
  async (accounts, options) => {
    const keys = new Map<string, AccountKey>()
    for (const key of accounts) keys.set(rawOfKey(key), key)
    if (keys.size === 0) return {}
    const held = await readAll(store, heldJettonsRead([...keys.values()]), options)
    // A wallet is shown with the metadata of its jetton.
    for (const { jetton } of held) keys.set(rawOfKey(jetton), jetton)
    const described = await readAll(store, describedTokensRead([...keys.values()]), options)
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
