// When each secret was used last: worth knowing, not worth a disk write per call, and never worth failing one.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { inSlices, lightInSlices, parseInSlices } from '../fairness/index.ts'
import { type After, afterTime, hasCode, removeDrafts, replaceFile } from '../process/index.ts'
import { withFileLock } from './fileLock.ts'

const FLUSH_EVERY = 60_000

/** Its times are checked one by one. */
const Contents = z.strictObject({ version: z.literal(1), used: z.record(z.string(), z.unknown()) })
const Time = z.tuple([z.string().regex(/^[0-9a-f]{64}$/), z.int().min(0)])

const SLICING = { subject: 'keys' }

interface UsedTimesOptions {
  readonly path: string
  /** Called when a file cannot be read or written. */
  readonly report: (error: Error) => void
  /** Whether a secret still exists; times of others are dropped when the file is written. */
  readonly exists: (hash: string) => boolean
  readonly after?: After | undefined
}

/** Last-used times by hash, written to their own file at most once a minute and on close. */
export class UsedTimes {
  readonly #options: UsedTimesOptions
  readonly #seen = new Map<string, number>()
  readonly #after: After
  #cancel: (() => void) | null = null
  #writing: Promise<void> = Promise.resolve()
  #changed = false

  constructor(options: UsedTimesOptions) {
    this.#options = options
    this.#after = options.after ?? afterTime
  }

  touch(hash: string, at: number): void {
    this.#seen.set(hash, Math.max(at, this.#seen.get(hash) ?? 0))
    this.#changed = true
    // A process that ends before writes what is left when the store is closed.
    this.#cancel ??= this.#after(FLUSH_EVERY, () => void this.flush())
  }

  /** What this process saw and what others wrote, the later of both. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const times = await this.#read()
    for (const [hash, at] of this.#seen) times.set(hash, Math.max(at, times.get(hash) ?? 0))
    return times
  }

  /** Writes what is new; failures are reported, not thrown. */
  flush(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    if (!this.#changed) return
    this.#changed = false
    const { path, exists } = this.#options
    try {
      await withFileLock(`${path}.lock`, async () => {
        const used = [...(await this.all())].filter(([hash]) => exists(hash))
        const texts = await lightInSlices(used, ([hash, at]) => `"${hash}":${at}`, SLICING)
        await removeDrafts(path)
        await replaceFile(path, `{"version":1,"used":{${texts.join()}}}\n`)
      })
    } catch (error) {
      this.#changed = true
      this.#report(error)
    }
  }

  async #read(): Promise<Map<string, number>> {
    try {
      const text = await readFile(this.#options.path, 'utf8')
      const { used } = Contents.parse(await parseInSlices(text, SLICING))
      const times = new Map<string, number>()
      await inSlices(Object.entries(used), (time) => times.set(...Time.parse(time)), SLICING)
      return times
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) this.#report(error)
      return new Map()
    }
  }

  #report(cause: unknown): void {
    this.#options.report(new Error(`Last-used times of keys are incomplete: ${this.#options.path}`, { cause }))
  }
}
