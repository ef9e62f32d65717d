// Usage in a folder of this machine: one file, replaced as a whole. It keeps the days of two months.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode, removeDrafts, replaceFile } from '../process/index.ts'
import { withFileLock } from './fileLock.ts'
import type { CountedUsage, UsageBatch, UsageRange, UsageStore } from './usageStore.ts'

const KEPT_DAYS = 62
const KEPT_WRITERS = 20

const Amount = z.int().min(0)
const Counts = z.tuple([Amount, Amount, Amount, Amount, Amount])
const Contents = z.strictObject({
  version: z.literal(1),
  /** Newest batch of each writer, the latest writers last. */
  writers: z.array(z.tuple([z.string(), Amount])),
  /** By month and key. */
  months: z.record(z.string(), z.record(z.string(), Amount)),
  /** By day, key and method: calls, weight, errors, limited, bytes. */
  days: z.record(z.string(), z.record(z.string(), z.record(z.string(), Counts))),
})

type Kept = z.output<typeof Contents>

const sorted = <T>(of: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1))

const empty = (): Kept => ({ version: 1, writers: [], months: {}, days: {} })

export function createFileUsageStore(folder: string): UsageStore {
  const path = join(folder, 'keys-usage.json')

  async function read(): Promise<Kept> {
    try {
      return Contents.parse(JSON.parse(await readFile(path, 'utf8')))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return empty()
      throw new Error(`The usage file ${path} cannot be read: move it away to begin a new one`, { cause: error })
    }
  }

  function merge(kept: Kept, batch: UsageBatch): Kept | null {
    const last = kept.writers.find(([writer]) => writer === batch.writer)?.[1] ?? 0
    if (last >= batch.number) return null
    const others = kept.writers.filter(([writer]) => writer !== batch.writer).slice(1 - KEPT_WRITERS)
    for (const { month, keyId, weight } of batch.months) {
      kept.months[month] ??= {}
      const keys = kept.months[month]
      keys[keyId] = (keys[keyId] ?? 0) + weight
    }
    for (const { day, keyId, method, calls, weight, errors, limited, bytes } of batch.usage) {
      kept.days[day] ??= {}
      const keys = kept.days[day]
      keys[keyId] ??= {}
      const [a, b, c, d, e] = keys[keyId][method] ?? [0, 0, 0, 0, 0]
      keys[keyId][method] = [a + calls, b + weight, c + errors, d + limited, e + bytes]
    }
    const days = Object.keys(kept.days).sort().slice(-KEPT_DAYS)
    const months = Object.keys(kept.months).sort().slice(-2)
    return {
      version: 1,
      writers: [...others, [batch.writer, batch.number]],
      months: Object.fromEntries(months.map((month) => [month, kept.months[month] ?? {}])),
      days: Object.fromEntries(days.map((day) => [day, kept.days[day] ?? {}])),
    }
  }

  const rowsOf = ({ days }: Kept, { from, to, keyId }: UsageRange): readonly CountedUsage[] =>
    sorted(days)
      .filter(([day]) => day >= from && day <= to)
      .flatMap(([day, keys]) =>
        sorted(keys)
          .filter(([id]) => keyId === null || id === keyId)
          .flatMap(([id, methods]) =>
            sorted(methods).map(([method, [calls, weight, errors, limited, bytes]]) => {
              return { day, keyId: id, method, calls, weight, errors, limited, bytes }
            }),
          ),
      )

  return {
    add: (batch) =>
      withFileLock(`${path}.lock`, async () => {
        const merged = merge(await read(), batch)
        if (merged === null) return
        await removeDrafts(path)
        await replaceFile(path, `${JSON.stringify(merged)}\n`)
      }),
    read: async (range) => rowsOf(await read(), range),
    async months(month, keyIds) {
      const keys = (await read()).months[month] ?? {}
      return new Map(keyIds.map((keyId) => [keyId, keys[keyId] ?? 0]))
    },
  }
}
