// Where a chain is stored: a folder with its log, snapshots and archive, or memory.

import { randomBytes } from 'node:crypto'
import { ArchiveFiles, NO_TEXTS } from './archive/index.ts'
import { type ChainDisk, ChainPast } from './chain/index.ts'
import type { DevchainOptions } from './devchainOptions.ts'
import { briefOf, diskJournal, type Journal, memoryJournal } from './journal/index.ts'
import { type ChainLog, LogError, lockLogFolder, openLog, openSnapshots } from './log/index.ts'
import { chainName, otherChain } from './otherChain.ts'
import { keptSeed } from './seedFile.ts'

/** The storage of a chain and its content. */
export interface Ground {
  readonly past: ChainPast
  readonly journal: Journal
  readonly disk: ChainDisk | null
  readonly seed: Uint8Array
  /** Verifies in the background what the start did not. */
  readonly verify: ChainLog['verify']
  readonly release: () => Promise<void>
}

/** Rejects with OtherChain for the folder of another one. */
export async function inFolder(folder: string, options: DevchainOptions): Promise<Ground> {
  const lock = await lockLogFolder(folder)
  try {
    const past = new ChainPast()
    const network = chainName(options)
    const seed = await keptSeed(folder, options.seed)
    const report = (file: string, why: string) => options.log?.('A snapshot was passed over', { file, why })
    const files = options.files === undefined ? {} : { files: options.files }
    const snapshots = await openSnapshots(folder, { network, report, ...files })
    const log = await openLog(folder, {
      network,
      replay: (record) => past.take(record),
      brief: briefOf,
      // A log is synced before a snapshot of it is written.
      safe: (await snapshots.list()).at(-1)?.at ?? null,
      sync: options.sync ?? 'always',
      makeRoom: () => snapshots.makeRoom(),
      ...files,
      lock,
    })
    if (log.recovery.dropped > 0)
      options.log?.('A write that was cut short was taken off the log', { bytes: log.recovery.dropped })
    const archiveFiles = await openArchiveFiles(folder, options).catch(async (error: unknown) => {
      await log.close()
      throw error
    })
    const disk = { snapshots, log, archiveFiles }
    const verify: Ground['verify'] = (report) => log.verify(report)
    return { past, journal: diskJournal(log), disk, seed, verify, release: () => lock.release() }
  } catch (error) {
    await lock.release()
    throw otherChain(error)
  }
}

/** A chain is whole without them. Rejects with LogError `shared`. */
async function openArchiveFiles(
  folder: string,
  { texts = NO_TEXTS, files, log }: DevchainOptions,
): Promise<ArchiveFiles | null> {
  try {
    return await ArchiveFiles.open(folder, texts.version, files)
  } catch (error) {
    if (error instanceof LogError && error.code === 'shared') throw error
    log?.('archive: its files cannot be used, history is read from whole blocks', { error: String(error) })
    return null
  }
}

export const inMemory = (options: DevchainOptions): Ground => ({
  past: new ChainPast(),
  journal: memoryJournal(),
  disk: null,
  seed: options.seed ?? randomBytes(32),
  verify: () => Promise.resolve(),
  release: () => Promise.resolve(),
})
