// Where an index begins and how far back it goes, as an operator writes it.

import { z } from 'zod'
import { INDEX_FROM_WORDS, parseIndexFrom } from '../../../shared/indexFrom.ts'

const KEEP_WORDS = 'all, or hours or days like 12h or 30d, from 1h to 36500d'

const SECONDS: Readonly<Record<string, number>> = { h: 3600, d: 86_400 }
const LONGEST_S = 36_500 * 86_400

/** Seconds; null for `all`, undefined for a text that means nothing. */
export function parseKeep(text: string): number | null | undefined {
  if (text === 'all') return null
  const [, count, unit = ''] = /^([1-9]\d{0,6})([hd])$/.exec(text) ?? []
  const seconds = Number(count) * (SECONDS[unit] ?? 0)
  return seconds > 0 && seconds <= LONGEST_S ? seconds : undefined
}

export const indexFromSetting = z
  .string()
  .refine((text) => parseIndexFrom(text) !== undefined, { error: INDEX_FROM_WORDS })
  .default('0')
  .meta({
    takes: 'block',
    values: INDEX_FROM_WORDS,
    description:
      'first masterchain block of an empty index: a seqno, a time like 2026-11-01T00:00:00Z, or now; 0 is now, or ' +
      'the first block of a devnet',
  })

export const keepSetting = z
  .string()
  .refine((text) => parseKeep(text) !== undefined, { error: KEEP_WORDS })
  .default('all')
  .meta({
    takes: 'span',
    values: KEEP_WORDS,
    description:
      'how far back the index goes, by the time of blocks: all, or a span like 12h or 30d; older transactions, traces and ' +
      'events are removed, states and balances stay',
  })
