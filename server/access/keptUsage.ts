// What a usage file holds: counts by day, key and method, and what keys spent by month. With a thousand keys that is 150,000 counts
// and 6 MB. To read, change and write all of it would hold the event loop for 300 ms, so it is kept as it was read, and gone through
// in slices.

import { z } from 'zod'
import { inSlices, lightInSlices, parseInSlices, SlicedWork } from '../fairness/index.ts'
import { type CountedUsage, KEPT_DAYS, KEPT_MONTHS, type UsageBatch, type UsageRange } from './usageStore.ts'

const KEPT_WRITERS = 20

const Amount = z.int().min(0)
const Counts = z.tuple([Amount, Amount, Amount, Amount, Amount])
/** By key and method: calls, weight, errors, limited, bytes. */
const Methods = z.record(z.string(), Counts)
const ByKey = z.record(z.string(), z.unknown())
const Head = z.strictObject({
  version: z.literal(1),
  /** Newest batch of each writer, the latest writers last. */
  writers: z.array(z.tuple([z.string(), Amount])),
  /** By month and key. */
  months: z.record(z.string(), z.unknown()),
  days: z.record(z.string(), z.unknown()),
})

type Methods = z.output<typeof Methods>
/** Of a day or a month, by key. */
interface Kept<T> {
  readonly keys: Record<string, T>
  /** Null when it has changed since it was written. */
  text: string | null
}

const SLICING = { subject: 'usage' }

const sorted = <T>(of: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1))

const rowsOf = (day: string, keyId: string, methods: Methods): CountedUsage[] =>
  sorted(methods).map(([method, [calls, weight, errors, limited, bytes]]) => {
    return { day, keyId, method, calls, weight, errors, limited, bytes }
  })

async function textOf(keys: Readonly<Record<string, unknown>>): Promise<string> {
  const write = ([id, one]: [string, unknown]) => `${JSON.stringify(id)}:${JSON.stringify(one)}`
  return `{${(await lightInSlices(Object.entries(keys), write, SLICING)).join()}}`
}

async function readAllOf<T>(of: Readonly<Record<string, unknown>>, one: z.ZodType<T>): Promise<Map<string, Kept<T>>> {
  const slices = new SlicedWork(SLICING)
  const all = new Map<string, Kept<T>>()
  for (const [name, keys] of Object.entries(of)) {
    const read = ([id, value]: [string, unknown]) => [id, one.parse(value)] as const
    const parsed = await inSlices(Object.entries(ByKey.parse(keys)), read, slices)
    all.set(name, { keys: Object.fromEntries(parsed), text: null })
  }
  return all
}

/** The members of an object, in parts. */
async function partsOf(all: ReadonlyMap<string, Kept<unknown>>): Promise<string[]> {
  const parts: string[] = []
  for (const [name, kept] of all) {
    kept.text ??= await textOf(kept.keys)
    parts.push(`${parts.length === 0 ? '' : ','}${JSON.stringify(name)}:`, kept.text)
  }
  return parts
}

export class KeptUsage {
  #writers: z.output<typeof Head>['writers'] = []
  #months = new Map<string, Kept<number>>()
  #days = new Map<string, Kept<Methods>>()

  /** Throws for a text that is not of a usage file. */
  static async read(text: string): Promise<KeptUsage> {
    const { writers, months, days } = Head.parse(await parseInSlices(text, SLICING))
    const kept = new KeptUsage()
    kept.#writers = writers
    kept.#months = await readAllOf(months, Amount)
    kept.#days = await readAllOf(days, Methods)
    return kept
  }

  /** False for a batch that was added before. */
  async add({ writer, number, usage, months }: UsageBatch): Promise<boolean> {
    const last = this.#writers.find(([one]) => one === writer)?.[1] ?? 0
    if (last >= number) return false
    const others = this.#writers.filter(([one]) => one !== writer).slice(1 - KEPT_WRITERS)
    this.#writers = [...others, [writer, number]]
    for (const { month, keyId, weight } of months) {
      const keys = this.#months.get(month)?.keys ?? {}
      keys[keyId] = (keys[keyId] ?? 0) + weight
      this.#months.set(month, { keys, text: null })
    }
    await lightInSlices(usage, (counted) => this.#count(counted), SLICING)
    const today = newestOf(usage.map(({ day }) => day))
    this.#days = newest(this.#days, KEPT_DAYS, today)
    this.#months = newest(this.#months, KEPT_MONTHS, newestOf([today.slice(0, 7), ...months.map(({ month }) => month)]))
    return true
  }

  #count({ day, keyId, method, calls, weight, errors, limited, bytes }: CountedUsage): void {
    const keys = this.#days.get(day)?.keys ?? {}
    this.#days.set(day, { keys, text: null })
    keys[keyId] ??= {}
    const [a, b, c, d, e] = keys[keyId][method] ?? [0, 0, 0, 0, 0]
    keys[keyId][method] = [a + calls, b + weight, c + errors, d + limited, e + bytes]
  }

  /** The text of the file, in parts. */
  async write(): Promise<string[]> {
    const head = `{"version":1,"writers":${JSON.stringify(this.#writers)},"months":{`
    return [head, ...(await partsOf(this.#months)), '},"days":{', ...(await partsOf(this.#days)), '}}\n']
  }

  async rows({ from, to, keyId }: UsageRange): Promise<CountedUsage[]> {
    const slices = new SlicedWork(SLICING)
    const found: CountedUsage[] = []
    for (const [day, { keys }] of [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (day < from || day > to) continue
      if (keyId !== null) {
        found.push(...rowsOf(day, keyId, keys[keyId] ?? {}))
        continue
      }
      const work = ([id, methods]: [string, Methods]) => found.push(...rowsOf(day, id, methods))
      await inSlices(sorted(keys), work, slices)
    }
    return found
  }

  month(name: string): Readonly<Record<string, number>> {
    return this.#months.get(name)?.keys ?? {}
  }

  months(): { readonly month: string; readonly keyId: string; readonly weight: number }[] {
    const all = [...this.#months].sort(([a], [b]) => (a < b ? -1 : 1))
    return all.flatMap(([month, { keys }]) => sorted(keys).map(([keyId, weight]) => ({ month, keyId, weight })))
  }
}

/** Empty for none. */
const newestOf = (names: readonly string[]): string =>
  names.reduce((newest, name) => (name > newest ? name : newest), '')

/**
 * The last by their names until `now`, in this order. As many later ones stay: they are of a clock that was ahead, or this one is
 * behind, and neither takes the place of what is counted now.
 */
function newest<T>(of: ReadonlyMap<string, T>, most: number, now: string): Map<string, T> {
  const sorted = [...of].sort(([a], [b]) => (a < b ? -1 : 1))
  const past = sorted.filter(([name]) => name <= now)
  const later = sorted.filter(([name]) => name > now)
  return new Map([...past.slice(-most), ...later.slice(-most)])
}
