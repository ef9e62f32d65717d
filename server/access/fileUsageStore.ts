// Usage in a folder of this machine: one file, replaced as a whole. It is read again only when another process has written it.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, removeDrafts, renamePatiently, replaceFile } from '../process/index.ts'
import { withFileLock } from './fileLock.ts'
import { fileVersion } from './fileVersion.ts'
import { KeptUsage } from './keptUsage.ts'
import type { UsageBatch, UsageStore } from './usageStore.ts'

const EVERY_DAY = { from: '', to: '9999', keyId: null }

const pathIn = (folder: string): string => join(folder, 'keys-usage.json')

/** Null when there is no such file. */
async function readKept(path: string): Promise<{ readonly kept: KeptUsage; readonly text: string } | null> {
  try {
    const text = await readFile(path, 'utf8')
    return { kept: await KeptUsage.read(text), text }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw new Error(`The usage file ${path} cannot be read: move it away to begin a new one`, { cause: error })
  }
}

/** Adds what the file of a folder counted to another store, and renames the file; null when there is none. */
export async function moveUsageFile(folder: string, into: Pick<UsageStore, 'add'>): Promise<string | null> {
  const path = pathIn(folder)
  if ((await readKept(path)) === null) return null
  return await withFileLock(`${path}.lock`, async () => {
    const found = await readKept(path)
    if (found === null) return null
    const { kept, text } = found
    // The same file is the same writer: a move that ended before the new name counts once.
    const writer = `file-${createHash('sha256').update(text).digest('hex')}`
    await into.add({ writer, number: 1, usage: await kept.rows(EVERY_DAY), months: kept.months() })
    await renamePatiently(path, `${path}.imported`)
    return path
  })
}

class UsageFile {
  readonly #path: string
  #known: { readonly version: string; readonly kept: KeptUsage } | null = null
  #reading: Promise<void> | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** What the file holds; two requests at once share one read. */
  async current(): Promise<KeptUsage> {
    for (;;) {
      const known = this.#known
      if (known !== null && known.version === (await fileVersion(this.#path))) return known.kept
      this.#reading ??= this.#read().finally(() => {
        this.#reading = null
      })
      await this.#reading
    }
  }

  async #read(): Promise<void> {
    // Before it: of a file that is replaced meanwhile this is not the version.
    const version = await fileVersion(this.#path)
    this.#known = { version, kept: (await readKept(this.#path))?.kept ?? new KeptUsage() }
  }

  add(batch: UsageBatch): Promise<void> {
    return withFileLock(`${this.#path}.lock`, async () => {
      const kept = await this.current()
      try {
        if (!(await kept.add(batch))) return
        await removeDrafts(this.#path)
        await replaceFile(this.#path, await kept.write())
        this.#known = { version: await fileVersion(this.#path), kept }
      } catch (error) {
        // What could not be written is not there.
        this.#known = null
        throw error
      }
    })
  }
}

export function createFileUsageStore(folder: string): UsageStore {
  const file = new UsageFile(pathIn(folder))
  return {
    add: (batch) => file.add(batch),
    read: async (range) => (await file.current()).rows(range),
    async months(month, keyIds) {
      const keys = (await file.current()).month(month)
      return new Map(keyIds.map((keyId) => [keyId, keys[keyId] ?? 0]))
    },
  }
}
