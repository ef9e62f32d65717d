// Usage in a folder of this machine: one file, replaced as a whole. It keeps the days of two months.

import { createHash } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
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

const pathIn = (folder: string): string => join(folder, 'keys-usage.json')

/** Null when there is no such file. */
async function readKept(path: string): Promise<{ readonly kept: Kept; readonly text: string } | null> {
  try {
    const text = await readFile(path, 'utf8')
    return { kept: Contents.parse(JSON.parse(text)), text }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw new Error(`The usage file ${path} cannot be read: move it away to begin a new one`, { cause: error })
  }
}

function rowsOf({ days }: Kept, isWanted: (day: string, keyId: string) => boolean): readonly CountedUsage[] {
  return sorted(days).flatMap(([day, keys]) =>
    sorted(keys)
      .filter(([id]) => isWanted(day, id))
      .flatMap(([id, methods]) =>
        sorted(methods).map(([method, [calls, weight, errors, limited, bytes]]) => {
          return { day, keyId: id, method, calls, weight, errors, limited, bytes }
        }),
      ),
  )
}

/** Adds what the file of a folder counted to another store, and renames the file; null when there is none. */
export async function moveUsageFile(folder: string, into: Pick<UsageStore, 'add'>): Promise<string | null> {
  const path = pathIn(folder)
  if ((await readKept(path)) === null) return null
  return await withFileLock(`${path}.lock`, async () => {
    const found = await readKept(path)
    if (found === null) return null
    const { kept, text } = found
    const months = sorted(kept.months).flatMap(([month, keys]) =>
      sorted(keys).map(([keyId, weight]) => ({ month, keyId, weight })),
    )
    // The same file is the same writer: a move that ended before the new name counts once.
    const writer = `file-${createHash('sha256').update(text).digest('hex')}`
    await into.add({ writer, number: 1, usage: rowsOf(kept, () => true), months })
    await rename(path, `${path}.imported`)
    return path
  })
}

export function createFileUsageStore(folder: string): UsageStore {
  const path = pathIn(folder)

  const read = async (): Promise<Kept> => (await readKept(path))?.kept ?? empty()

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

  return {
    add: (batch) =>
      withFileLock(`${path}.lock`, async () => {
        const merged = merge(await read(), batch)
        if (merged === null) return
        await removeDrafts(path)
        await replaceFile(path, `${JSON.stringify(merged)}\n`)
      }),
    read: async ({ from, to, keyId }: UsageRange) =>
      rowsOf(await read(), (day, id) => day >= from && day <= to && (keyId === null || id === keyId)),
    async months(month, keyIds) {
      const keys = (await read()).months[month] ?? {}
      return new Map(keyIds.map((keyId) => [keyId, keys[keyId] ?? 0]))
    },
  }
}
