// Token metadata as v3 writes it: what was fetched, overridden by what is on chain (TEP-64).

import type { z } from 'zod'
import { toDigits } from '../../../../../shared/primitives.ts'
import type { TokenInfo } from '../../../../../shared/v3/sideObjects.ts'
import type { DescribedToken, HeldJetton } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'

type Info = z.output<typeof TokenInfo>

const SHOWN = ['name', 'symbol', 'description', 'image'] as const

export const toHeldJetton = ({ owner, jetton, balance }: HeldJetton): Info => ({
  valid: true,
  type: 'jetton_wallets',
  extra: { owner: rawOfKey(owner), jetton: rawOfKey(jetton), balance: toDigits(balance) },
})

/** Null for what is no JSON object. */
function attributesIn(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
  } catch {
    return null
  }
}

type Attributes = Readonly<Record<string, unknown>>

/** Whether no off-chain metadata is left to fetch. An empty link counts as absent, and what an older link had no longer describes it. */
export const isIndexed = ({ content, fetched }: DescribedToken): boolean =>
  content === null || !content.uri || fetched?.uri === content.uri

/** All attributes; null when unreadable, undefined while not fetched. */
function attributesOf(token: DescribedToken): Attributes | null | undefined {
  const { content, fetched } = token
  if (content === null || !content.uri) return content
  if (!isIndexed(token)) return undefined
  const found = typeof fetched?.json === 'string' ? attributesIn(fetched.json) : null
  return found && { ...found, ...content }
}

/** Attributes without a field of their own; clients read `extra` without a check, so a master always has one. */
function addExtra(info: Info, attributes: Attributes): void {
  const extra = Object.entries(attributes).filter(([name]) => !SHOWN.some((one) => one === name))
  if (extra.length > 0 || info.type === 'jetton_masters') info.extra = Object.fromEntries(extra)
}

/** Member by member: objects that are put together of others take several times as long. */
export function toDescribedToken(token: DescribedToken): Info {
  const { kind, index, saleName, content } = token
  const attributes = attributesOf(token)
  const info: Info = attributes === undefined ? { type: kind } : { valid: attributes !== null, type: kind }
  if (index !== null) info.nft_index = toDigits(index)
  // What it is sold as, until its description says more.
  if (saleName) info.name = saleName
  if (!attributes) {
    if (kind === 'jetton_masters') addExtra(info, content ?? {})
    return info
  }
  info.is_nsfw = false
  info.is_scam = false
  for (const name of SHOWN) {
    const value = attributes[name]
    if (typeof value === 'string') info[name] = value
  }
  addExtra(info, attributes)
  return info
}
