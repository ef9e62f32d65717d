// An embedded index moves into a PostgreSQL while its service runs: a copy of its files is read, not the index itself.

import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { timeLimit } from '../process/index.ts'
import {
  type Database,
  type Leadership,
  type Moved,
  type MoveProgress,
  moveIndex,
  openDatabase,
  StoreError,
} from '../store/index.ts'
import { copyEmbeddedIndex, requireEmbeddedIndex } from './dataBackup.ts'
import type { Config } from './settings.ts'

export interface MoveHow {
  readonly signal: AbortSignal
  readonly onProgress: (progress: MoveProgress | { readonly step: 'copying files' }) => void
}

/** Of the copy, which stays until the move is finished, so that one that is cut short goes on with it. */
const FOLDER = 'moving.partial'
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
      const name = (await readName(folder)) ?? (await copyFiles())
      const source = await openDatabase({ database: 'pglite', folder, signal })
      try {
        const end = AbortSignal.any([signal, leading.lost])
        const result = await moveIndex(source, target, { source: name, signal: end, onProgress })
        await source.close()
        await rm(folder, { recursive: true, force: true })
        return result
      } finally {
        await source.close()
      }
    } finally {
      await leading.release()
    }
  } finally {
    await target.close()
  }

  async function copyFiles(): Promise<string> {
    onProgress({ step: 'copying files' })
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await copyEmbeddedIndex(data, join(folder, 'postgres'), signal)
    const name = randomUUID()
    await writeFile(join(folder, NAME), name, { mode: 0o600 })
    return name
  }
}

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
