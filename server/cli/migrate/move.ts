// The copy of an embedded index into a PostgreSQL, and what is printed of it.

import { type Config, type MoveHow, moveEmbeddedIndex, withSecrets } from '../../app/index.ts'
import { failureText, stopOnce } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'

interface MoveIo extends Io {
  readonly json: boolean
}

/** A line for each tenth of a table, so that a log of it is short. */
function progressLines(err: Io['err']): MoveHow['onProgress'] {
  let last = ''
  return (progress) => {
    const line =
      'table' in progress
        ? `${progress.step}: ${progress.table}${progress.step === 'copying' ? ` ${Math.floor(progress.percent / 10) * 10} %` : ''}`
        : progress.step
    if (line !== last) err(line)
    last = line
  }
}

export async function runMove(
  given: Pick<Config, 'data' | 'database' | 'databaseFile'>,
  { out, err, json }: MoveIo,
): Promise<void> {
  const stopping = new AbortController()
  const stopListening = stopOnce(() => stopping.abort(new Error('it was stopped')))
  try {
    const place = withSecrets(given)
    const { rows, lastSeqno } = await moveEmbeddedIndex(place, {
      signal: stopping.signal,
      onProgress: progressLines(err),
    })
    if (json) return out(JSON.stringify({ rows, lastSeqno }))
    out(`Copied ${rows} rows up to block ${lastSeqno}; both sides have the same counts and hashes.`)
    out(
      'Restart the service with this database: it goes on from there. Keys and usage of the data folder move at that start.',
    )
  } catch (error) {
    const text = failureText(error)
    throw new CommandError(`the index was not copied: ${text}`, { cause: error })
  } finally {
    stopListening()
  }
}
