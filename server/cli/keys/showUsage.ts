// Usage as a person reads it: the keys that called, or what one key called by day and method.

import {
  type CountedUsage,
  dayOf,
  type KeyStore,
  KeyStoreError,
  type UsageRange,
  type UsageStore,
} from '../../access/index.ts'
import { openKeys } from '../../app/callers.ts'
import { withSecrets } from '../../app/settings/secretFiles.ts'
import { alignedLines } from '../alignedLines.ts'
import { explained, type KeysIo } from './withKeys.ts'

type Sums = Pick<CountedUsage, 'calls' | 'weight' | 'errors' | 'limited' | 'bytes'>

const COUNTED = ['calls', 'weight', 'errors', 'limited', 'bytes'] as const
const HEADS = ['CALLS', 'WEIGHT', 'ERRORS', 'LIMITED', 'BYTES']

/** Callers without a key are counted together. */
const nameOf = (keyId: string): string => (keyId === '' ? '(no key)' : keyId)

function byKey(rows: readonly CountedUsage[]): readonly (readonly [string, Sums])[] {
  const sums = new Map<string, Sums>()
  for (const row of rows) {
    const known = sums.get(row.keyId) ?? { calls: 0, weight: 0, errors: 0, limited: 0, bytes: 0 }
    const sum = (name: keyof Sums): number => known[name] + row[name]
    const counts = { calls: sum('calls'), weight: sum('weight'), errors: sum('errors') }
    sums.set(row.keyId, { ...counts, limited: sum('limited'), bytes: sum('bytes') })
  }
  return [...sums].sort(([, a], [, b]) => b.weight - a.weight)
}

const cells = (counts: Sums): string[] => COUNTED.map((name) => String(counts[name]))

const DAY = 86_400_000

interface Wanted {
  /** So many until today, in UTC. */
  readonly days: number
  /** One key, or all of them. */
  readonly keyId: string | null
}

/** Throws KeyStoreError `notFound` for an id of no key: one that is misspelled would be a key without calls. */
async function usageOf(
  range: UsageRange,
  { keys, usage }: { readonly keys: Pick<KeyStore, 'list'>; readonly usage: Pick<UsageStore, 'read'> },
): Promise<readonly CountedUsage[]> {
  const rows = await usage.read(range)
  const { keyId } = range
  if (rows.length > 0 || keyId === null || (await keys.list()).some(({ id }) => id === keyId)) return rows
  throw new KeyStoreError('notFound', `There is no key with the id ${JSON.stringify(keyId)}`)
}

export async function showUsage({ days, keyId: only }: Wanted, io: KeysIo): Promise<void> {
  try {
    const now = Date.now()
    const range = { from: dayOf(now - (days - 1) * DAY), to: dayOf(now), keyId: only }
    const { keys, usage, close } = await openKeys(withSecrets(io), (error) => io.err(error.message))
    const rows = await usageOf(range, { keys, usage }).finally(close)
    if (io.json) return io.out(JSON.stringify(rows))
    if (rows.length === 0) return io.out(`No calls from ${range.from} to ${range.to}.`)
    const table =
      range.keyId === null
        ? [['KEY', ...HEADS], ...byKey(rows).map(([keyId, sums]) => [nameOf(keyId), ...cells(sums)])]
        : [['DAY', 'METHOD', ...HEADS], ...rows.map((row) => [row.day, row.method, ...cells(row)])]
    for (const line of alignedLines(table)) io.out(line)
  } catch (error) {
    throw explained(error)
  }
}
