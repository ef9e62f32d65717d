import { resolve } from 'node:path'
import { backUpData, type Config, withSecrets } from '../../app/index.ts'
import { BackupFault } from '../../backup/index.ts'
import { failureText, shellWord, stopOnce } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'

interface BackupIo extends Io {
  readonly json: boolean
}

const MB = 2 ** 20

export async function runBackup(
  given: Pick<Config, 'data' | 'network' | 'database' | 'databaseFile'>,
  to: string,
  { out, err, json }: BackupIo,
): Promise<void> {
  const place = withSecrets(given)
  const path = resolve(to)
  const stopping = new AbortController()
  const stopListening = stopOnce(() => stopping.abort(new BackupFault('it was stopped')))
  try {
    const onProgress = (part: string) => err(`copying: ${part}`)
    const { files, bytes } = await backUpData(place, path, { signal: stopping.signal, onProgress })
    if (json) return out(JSON.stringify({ path, files, bytes }))
    out(`Copied ${files} files, ${(bytes / MB).toFixed(1)} MB, to ${path}.`)
    out(`To go back to it: tonrpc restore ${shellWord(path)} --data FOLDER`)
    if (place.database !== 'pglite')
      out('The index, keys and usage are in the PostgreSQL, not in this copy: use pg_dump.')
  } catch (error) {
    const isKnown = error instanceof BackupFault
    const text = failureText(error)
    throw new CommandError(
      isKnown ? `no backup was made: ${text}` : `no backup was made, for an unexpected reason: ${text}`,
      {
        cause: error,
      },
    )
  } finally {
    stopListening()
  }
}
