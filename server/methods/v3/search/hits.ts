// What a search found, before the names of its tokens are read.

import type { z } from 'zod'
import type { SearchHit } from '../../../../shared/v3/search.ts'
import { base64Of } from '../../../cell/index.ts'
import type { AccountKey, FoundHash, FoundToken } from '../../../store/index.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { toIndexedBlockId } from '../../view/v3/place.ts'

export type Hit = z.output<typeof SearchHit>
export type HitMatch = Hit['match']

export interface SearchFound {
  readonly hits: readonly Hit[]
  readonly note: string | null
}

const NOTHING = { name: null, symbol: null, account: null, hash: null, block: null, opcode: null, holders: null }

export const accountHit = (key: AccountKey, match: HitMatch): Hit => ({
  ...NOTHING,
  type: 'account',
  match,
  account: rawOfKey(key),
})

export const tokenHit = ({ account, kind, isExact, holders }: FoundToken, fits: HitMatch = 'prefix'): Hit => ({
  ...NOTHING,
  type: kind,
  match: isExact && fits === 'prefix' ? 'exact' : fits,
  account: rawOfKey(account),
  holders,
})

export const domainHit = (item: AccountKey, domain: string, match: HitMatch): Hit => ({
  ...NOTHING,
  type: 'domain',
  match,
  name: domain,
  account: rawOfKey(item),
})

export const hashHit = ({ kind, hash, ...place }: FoundHash, match: HitMatch): Hit => ({
  ...NOTHING,
  type: kind,
  match,
  hash: base64Of(hash),
  block: kind === 'block' ? toIndexedBlockId(place) : null,
})

export const blockHit = (block: Parameters<typeof toIndexedBlockId>[0], match: HitMatch): Hit => ({
  ...NOTHING,
  type: 'block',
  match,
  block: toIndexedBlockId(block),
})

export const opcodeHit = (opcode: string, name: string | null): Hit => ({
  ...NOTHING,
  type: 'opcode',
  match: 'exact',
  name,
  opcode,
})
