// What a copy of the data folder is made of: the embedded index, then the chain, which is never behind it, then all other files.

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import {
  BackupFault,
  type BackupListener,
  type BackupSource,
  type CopyHow,
  copyLive,
  type LiveFolder,
  listenForBackups,
  type Manifest,
  makeBackup,
  requestCopy,
} from '../../backup/index.ts'
import { chainCopyOrder } from '../../devchain/index.ts'
import type { Log } from '../../observe/index.ts'
import { diskFailure, FolderLocked, hasCode, lockFolder, renamePatiently } from '../../process/index.ts'
import { type Database, StoreError } from '../../store/index.ts'
import { programVersion } from '../programVersion.ts'
import type { Config } from '../settings/settings.ts'

type Place = Pick<Config, 'data' | 'network' | 'database'>
type Standstill = NonNullable<Database['standstill']>

/** Those of a running process, and copies that are not finished. */
const PASSING = /^lock[.-]|\.(?:tmp|sock|partial)$|^control\.json$/
const isLasting = (name: string): boolean => !PASSING.test(name)

const indexFolder = (data: string): string => join(data, 'index', 'postgres')

function sourceOf({ data, network, database }: Place, standstill: Standstill | null, draft: string): BackupSource {
  const index = {
    name: 'index',
    from: indexFolder(data),
    to: join(draft, 'index', 'postgres'),
    ...(standstill === null ? {} : { standstill }),
  }
  const chain = {
    name: 'chain',
    from: join(data, 'chain'),
    to: join(draft, 'chain'),
    includes: isLasting,
    order: chainCopyOrder,
  }
  const rest = {
    name: 'keys',
    from: data,
    to: draft,
    includes: (name: string) => isLasting(name) && name !== 'index' && name !== 'chain',
  }
  const isThere = ({ name, from }: { name: string; from: string }): boolean =>
    existsSync(from) && (name !== 'index' || database === 'pglite')
  return { folder: data, facts: { program: programVersion(), network }, parts: [index, chain, rest].filter(isThere) }
}

function requireOutside(to: string, data: string): void {
  if (`${resolve(to)}${sep}`.startsWith(`${resolve(data)}${sep}`))
    throw new BackupFault(`${to} is inside of the data folder ${data}: name a folder outside of it`)
}

/** Copies of a service that runs; null where nothing of the data folder is written all the time. */
export async function openBackups(
  config: Place,
  index: Pick<Database, 'standstill'> | null,
  log: Log,
): Promise<BackupListener | null> {
  const { data, network, database } = config
  if (network !== 'devnet' && database !== 'pglite') return null
  const standstill: Standstill | null =
    index?.standstill === undefined ? null : (work) => asFault(index.standstill?.(work))
  return await listenForBackups(data, async ({ copy, to }, { signal, onProgress }) => {
    const began = performance.now()
    const seconds = (): number => Math.round(performance.now() - began) / 1_000
    log.info({ to, copy }, 'backup started')
    try {
      const done = copy === 'index' ? await copyIndex(data, { to, signal, standstill }) : await copyData()
      log.info({ to, copy, seconds: seconds() }, 'backup finished')
      return done
    } catch (error) {
      log.warn({ to, copy, err: error }, 'backup failed')
      throw error
    }
    async function copyData(): Promise<CopySummary> {
      requireOutside(to, data)
      // It may be being opened.
      await standstill?.(() => Promise.resolve())
      const source = (draft: string) => sourceOf(config, standstill, draft)
      return summaryOf(await makeBackup(source, { to, signal, onProgress: ({ part }) => onProgress(part) }))
    }
  })
}

async function asFault(work: Promise<void> | undefined): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new BackupFault(`the embedded index cannot be copied: ${error.message}`, { cause: error })
  }
}

async function copyIndex(
  data: string,
  { to, signal, standstill }: { to: string; signal: AbortSignal; standstill: Standstill | null },
): Promise<CopySummary> {
  if (standstill === null) throw new BackupFault('this service has no embedded index')
  await copyIndexFiles({ from: indexFolder(data), to, standstill }, signal)
  return { files: 0, bytes: 0 }
}

/** Whole or not at all: what is left of it would take the room of the service that runs there. */
async function copyIndexFiles({ to, ...folder }: LiveFolder, signal: AbortSignal): Promise<void> {
  const draft = `${to}.partial`
  await rm(draft, { recursive: true, force: true })
  try {
    await copyLive({ ...folder, to: draft }, signal)
    await renamePatiently(draft, to)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const words = diskFailure(error)
    if (words === null) throw error
    const need = 'it needs room for a copy of the index until the end'
    throw new BackupFault(`${dirname(to)}: ${words}; ${need}`, { cause: error })
  }
}

export interface CopySummary {
  readonly files: number
  readonly bytes: number
}

const summaryOf = ({ files }: Manifest): CopySummary => ({
  files: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})

/** Made by the service that runs in the data folder, else by this process, which holds the folder meanwhile. */
export async function backUpData(place: Place, to: string, how: CopyHow): Promise<CopySummary> {
  const { data } = place
  requireOutside(to, data)
  const sent = await requestCopy(data, { copy: 'data', to }, how)
  // The cast: it is what `openBackups` returns.
  if (sent !== null) return sent.done as CopySummary
  const order = { to, signal: how.signal, onProgress: ({ part }: { part: string }) => how.onProgress(part) }
  return await holding(data, async () => summaryOf(await makeBackup((draft) => sourceOf(place, null, draft), order)))
}

function lockFault(error: unknown, folder: string): never {
  if (error instanceof FolderLocked) throw new BackupFault(error.message, { cause: error })
  if (!hasCode(error, 'EROFS', 'EACCES', 'EPERM')) throw error
  throw new BackupFault(
    `${folder} cannot be locked, and a service could change it meanwhile: its disk is read-only, or not for this user`,
    { cause: error },
  )
}

/** Throws BackupFault. */
export function requireEmbeddedIndex(data: string): void {
  if (!existsSync(indexFolder(data))) throw new BackupFault(`${data} has no embedded index`)
}

/** The same for the files of the embedded index alone. Throws BackupFault. */
export async function copyEmbeddedIndex(data: string, to: string, signal: AbortSignal): Promise<void> {
  requireEmbeddedIndex(data)
  const from = indexFolder(data)
  if ((await requestCopy(data, { copy: 'index', to }, { signal, onProgress: () => undefined })) !== null) return
  await holding(data, () => copyIndexFiles({ from, to }, signal))
}

/** Runs `work` while no service can start in the folder. Throws BackupFault when one runs that cannot be reached. */
async function holding<T>(data: string, work: () => Promise<T>): Promise<T> {
  const folders = [join(data, 'chain'), join(data, 'index')].filter(existsSync)
  const locks = []
  try {
    for (const folder of folders)
      locks.push(await lockFolder(folder).catch((error: unknown) => lockFault(error, folder)))
    return await work()
  } finally {
    for (const lock of locks) await lock.release()
  }
}
