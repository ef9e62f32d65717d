// An embedded index moves into a PostgreSQL while its service runs: a copy of its files is read, not the index itself.

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, lockFolder, timeLimit } from '../../process/index.ts'
import {
  type Database,
  isMoveOpen,
  type Leadership,
  type Moved,
  type MoveProgress,
  moveIndex,
  openDatabase,
  StoreError,
} from '../../store/index.ts'
import type { Config } from '../settings/settings.ts'
import { copyEmbeddedIndex, requireEmbeddedIndex } from './dataBackup.ts'

export interface MoveHow {
  readonly signal: AbortSignal
  readonly onProgress: (progress: MoveProgress | { readonly step: 'copying files' }) => void
}

/** Of the copy, which stays until the move is finished, so that one that is cut short goes on with it. */
const FOLDER = 'moving.partial'
const INDEX = 'index'
const NAME = 'copied'

const readName = (folder: string): Promise<string | null> =>
  readFile(join(folder, NAME), 'utf8').then(
    (text) => (/^[0-9a-f-]{36}$/.test(text) ? text : null),
    () => null,
  )

/** Throws StoreError and BackupFault. */
export async function moveEmbeddedIndex(
  { data, database }: Pick<Config, 'data' | 'database'>,
  { signal, onProgress }: MoveHow,
): Promise<Moved> {
  requireEmbeddedIndex(data)
  const folder = join(data, FOLDER)
  const target = await openDatabase({ database, duringMove: true, readConnections: 1, writeConnections: 2 })
  try {
    const leading = await leadOf(target, signal)
    try {
      // Another command may copy the same index into another database.
      const lock = await lockFolder(folder)
      try {
        return await moveInto(target, AbortSignal.any([signal, leading.lost]))
      } finally {
        await lock.release()
        await removeEmpty(folder)
      }
    } finally {
      await leading.release()
    }
  } finally {
    await target.close()
  }

  async function moveInto(to: Database, end: AbortSignal): Promise<Moved> {
    const { name, source } = await openCopy(to)
    try {
      const result = await moveIndex(source, to, { source: name, signal: end, onProgress })
      await source.close()
      await removeCopy()
      return result
    } catch (error) {
      await source.close()
      // The database was refused: nothing goes on with this copy.
      if (error instanceof StoreError && error.code === 'mismatch') await removeCopy()
      throw error
    }
  }

  async function openCopy(to: Database): Promise<{ readonly name: string; readonly source: Database }> {
    // A copy that no move of this database is left of may be old, and of a chain that was reset.
    const kept = (await isMoveOpen(to.read)) ? await readName(join(folder, INDEX)) : null
    try {
      const name = kept ?? (await copyFiles())
      return { name, source: await openDatabase({ database: 'pglite', folder: join(folder, INDEX), signal }) }
    } catch (error) {
      // Nothing was moved out of it yet, and it may have filled the disk of the running service.
      if (kept === null) await removeCopy()
      throw error
    }
  }

  async function copyFiles(): Promise<string> {
    onProgress({ step: 'copying files' })
    await removeCopy()
    await mkdir(join(folder, INDEX), { recursive: true, mode: 0o700 })
    await copyEmbeddedIndex(data, join(folder, INDEX, 'postgres'), signal)
    const name = randomUUID()
    await writeFile(join(folder, INDEX, NAME), name, { mode: 0o600 })
    return name
  }

  /** All but the lock. */
  async function removeCopy(): Promise<void> {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('lock'))
    for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const removeEmpty = (folder: string): Promise<void> =>
  rmdir(folder).catch((error: unknown) => {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error
  })

/** A process that was killed leads for some seconds more. */
const LEAD_MS = 10_000

async function leadOf(target: Database, signal: AbortSignal): Promise<Leadership> {
  const late = timeLimit(LEAD_MS)
  try {
    return await target.lead(AbortSignal.any([signal, late]))
  } catch (error) {
    if (!late.aborted) throw error
    throw new StoreError('conflict', 'another process writes the index of this database: stop it first', {
      cause: error,
    })
  }
}
