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

/** All attributes; null when unreadable, undefined while not fetched. */
function attributesOf({ content, fetched }: DescribedToken): Attributes | null | undefined {
  if (content === null) return null
  // An empty link counts as absent.
  if (!content.uri) return content
  // Metadata fetched from an older link no longer describes it.
  if (fetched === null || fetched.uri !== content.uri) return undefined
  const found = fetched.json === null ? null : attributesIn(fetched.json)
  return found && { ...found, ...content }
}

/** Whether no off-chain metadata is left to fetch. */
export const isIndexed = (token: DescribedToken): boolean => attributesOf(token) !== undefined

/** Attributes without a field of their own; clients read `extra` without a check, so a master always has one. */
function extraOf({ kind }: DescribedToken, attributes: Attributes): Pick<Info, 'extra'> {
  const extra = Object.entries(attributes).filter(([name]) => !SHOWN.some((one) => one === name))
  return extra.length === 0 && kind !== 'jetton_masters' ? {} : { extra: Object.fromEntries(extra) }
}

export function toDescribedToken(token: DescribedToken): Info {
  const attributes = attributesOf(token)
  const known = {
    type: token.kind,
    ...(token.index === null ? {} : { nft_index: toDigits(token.index) }),
    // What it is sold as, until its description says more.
    ...(token.saleName ? { name: token.saleName } : {}),
  }
  if (!attributes) {
    const onChain = token.kind === 'jetton_masters' ? extraOf(token, token.content ?? {}) : {}
    return { ...(attributes === null ? { valid: false } : {}), ...known, ...onChain }
  }
  const shown = SHOWN.flatMap((name) => (typeof attributes[name] === 'string' ? [[name, attributes[name]]] : []))
  return {
    valid: true,
    ...known,
    is_nsfw: false,
    is_scam: false,
    ...Object.fromEntries(shown),
    ...extraOf(token, attributes),
  }
}
