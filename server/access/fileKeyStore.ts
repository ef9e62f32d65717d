// Keys in a folder of this machine. Command lines and a running server share it: writers take turns by a lock file,
// readers look whether the file is another one now. No watchers, which behave differently on every file system.

import { join } from 'node:path'
import { lightInSlices } from '../fairness/index.ts'
import { type After, linkedFile, renamePatiently } from '../process/index.ts'
import type { Plan } from './access.ts'
import { sameHash } from './apiKeys.ts'
import { withFileLock } from './fileLock.ts'
import { fileVersion } from './fileVersion.ts'
import { type KeptRecord, type KeyFile, readKeyFile, writeKeyFile } from './keyFile.ts'
import { changeKey, issueKey, type KeyRecord, revokeKey, rotateKey } from './keyRecord.ts'
import { type KeyStore, STORE_LAG } from './keyStore.ts'
import { BUILT_IN, planNamed } from './plans.ts'
import { Refreshing } from './refreshing.ts'
import type { KeyImport } from './sqlKeyStore.ts'
import { UsedTimes } from './usedTimes.ts'

interface FileKeyStoreOptions {
  /** Wall clock in milliseconds. */
  readonly now?: () => number
  /** Called on failures a running server survives: a key file damaged while it runs, a full disk. */
  readonly report?: (error: Error) => void
  readonly after?: After
}

interface Known {
  readonly version: string
  readonly byHash: ReadonlyMap<string, KeptRecord>
}

/** Keeps keys in `keys.json` of a data folder, which is made on the first write. */
export function createFileKeyStore(folder: string, options: FileKeyStoreOptions = {}): KeyStore {
  return new FileKeyStore(folder, options)
}

export const KEY_FILE = 'keys.json'

const pathIn = (folder: string): string => join(folder, KEY_FILE)

/** Adds the keys of a folder's file to another store, and renames the file; null when there are none. */
export async function moveKeyFile(folder: string, into: KeyImport): Promise<{ path: string; added: number } | null> {
  const path = pathIn(folder)
  if ((await readKeyFile(path)).records.length === 0) return null
  // A database may be away for long: the file is not locked while it is waited for.
  await into.add([])
  // A key that is made meanwhile would be in the renamed file alone.
  return await withFileLock(`${await linkedFile(path)}.lock`, async () => {
    const { records } = await readKeyFile(path)
    if (records.length === 0) return null
    const added = await into.add(records.map((record) => ({ ...record, lastUsedAt: null })))
    await renamePatiently(path, `${path}.imported`)
    return { path, added }
  })
}

class FileKeyStore implements KeyStore {
  readonly #path: string
  readonly #now: () => number
  readonly #report: (error: Error) => void
  readonly #used: UsedTimes
  #known: Known | null = null
  #lastUsed: ReadonlyMap<string, number> = new Map()
  readonly #refreshing: Refreshing
  #reported: string | null = null

  constructor(folder: string, options: FileKeyStoreOptions) {
    this.#path = pathIn(folder)
    this.#now = options.now ?? Date.now
    this.#refreshing = new Refreshing({ now: this.#now, lagMs: STORE_LAG, refresh: () => this.#refresh() })
    this.#report = options.report ?? ((error) => process.emitWarning(error))
    this.#used = new UsedTimes({
      path: join(folder, 'keys-used.json'),
      report: this.#report,
      after: options.after,
      exists: (hash) => this.#known?.byHash.has(hash) ?? true,
    })
  }

  async find(hash: string): Promise<KeyRecord | null> {
    await this.#refreshing.look()
    const record = this.#known?.byHash.get(hash)
    if (record === undefined || !sameHash(record.hash, hash)) return null
    return { ...record, lastUsedAt: this.#lastUsed.get(hash) ?? null }
  }

  plan(name: string): Plan | null {
    return planNamed(BUILT_IN, name)
  }

  async known(): Promise<Iterable<KeptRecord>> {
    await this.#refreshing.look()
    return this.#known?.byHash.values() ?? []
  }

  async list(): Promise<readonly KeyRecord[]> {
    const { records } = await readKeyFile(this.#path)
    return this.#withUse(records).then((all) => all.sort((a, b) => a.createdAt - b.createdAt))
  }

  create: KeyStore['create'] = (order) =>
    this.#change((records) => {
      const issued = issueKey(records, order, this.#now())
      return { records: [...records, issued.record], answer: issued }
    })

  rotate: KeyStore['rotate'] = (id, overlap) =>
    this.#change((before) => {
      const { issued, records } = rotateKey(before, id, overlap, this.#now())
      return { records, answer: issued }
    })

  change: KeyStore['change'] = (id, changes) =>
    this.#change((before) => {
      const records = changeKey(before, id, changes, this.#now())
      return { records, answer: records.filter((record) => record.id === id) }
    })

  revoke: KeyStore['revoke'] = (id) =>
    this.#change((before) => {
      const records = revokeKey(before, id, this.#now())
      return { records, answer: records.filter((record) => record.id === id) }
    })

  async touch(hash: string, at: number): Promise<void> {
    this.#used.touch(hash, at)
  }

  close(): Promise<void> {
    return this.#used.flush()
  }

  /**
   * Reads, changes and replaces the file as one step. What is in memory plays no part: another process may have written. Where
   * the path is a symbolic link, the file it points to is locked and replaced: a copy in its place would miss later changes there.
   */
  async #change<A>(step: (records: readonly KeyRecord[]) => { records: readonly KeyRecord[]; answer: A }): Promise<A> {
    const path = await linkedFile(this.#path)
    return withFileLock(`${path}.lock`, async () => {
      const { records, answer } = step(await this.#withUse((await readKeyFile(path)).records))
      await writeKeyFile(path, await lightInSlices(records, withoutUse, SLICING))
      this.#known = await knownOf(await readKeyFile(path))
      return answer
    })
  }

  /**
   * Takes over a changed file. One that cannot be read leaves the keys as they were, if they were ever read: a slip of
   * an editor must not lock every caller out. Revoking cannot get lost that way, it refuses a damaged file aloud.
   */
  async #refresh(): Promise<void> {
    try {
      const before = this.#known
      if (before === null || (await fileVersion(this.#path)) !== before.version) {
        const read = await knownOf(await readKeyFile(this.#path))
        // What this process wrote meanwhile is newer.
        if (this.#known === before) this.#known = read
        this.#lastUsed = await this.#used.all()
      }
      this.#reported = null
    } catch (error) {
      if (this.#known === null || !(error instanceof Error)) throw error
      if (error.message !== this.#reported) this.#report(error)
      this.#reported = error.message
    }
  }

  async #withUse(records: readonly KeptRecord[]): Promise<KeyRecord[]> {
    const used = await this.#used.all()
    const withUse = (record: KeptRecord) => ({ ...record, lastUsedAt: used.get(record.hash) ?? null })
    return await lightInSlices(records, withUse, SLICING)
  }
}

const SLICING = { subject: 'keys' }

async function knownOf({ version, records }: KeyFile): Promise<Known> {
  const byHash = new Map<string, KeptRecord>()
  await lightInSlices(records, (record) => byHash.set(record.hash, record), SLICING)
  return { version, byHash }
}

const withoutUse = ({ lastUsedAt: _, ...kept }: KeyRecord): KeptRecord => kept
