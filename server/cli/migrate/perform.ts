import { type Config, migrateDatabase, migrationPlan, StartRefused, withSecrets } from '../../app/index.ts'
import { failureText } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError, UsageError } from '../commandErrors.ts'

export { runMove } from './move.ts'

export interface MigrateIo extends Pick<Io, 'out'> {
  readonly dryRun: boolean
  readonly json: boolean
}

const MB = 1024 * 1024

const EMBEDDED =
  'the embedded database is brought up to date by the service when it starts; for a PostgreSQL give --database or --database-file'

export async function runMigrate(place: Pick<Config, 'database' | 'databaseFile'>, io: MigrateIo): Promise<void> {
  try {
    const { database } = withSecrets(place)
    if (database === 'pglite') throw new UsageError(EMBEDDED)
    await perform(database, io)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const text = failureText(error)
    throw new CommandError(error instanceof StartRefused ? text : `the database was not changed: ${text}`, {
      cause: error,
    })
  }
}

async function perform(database: string, { out, dryRun, json }: MigrateIo): Promise<void> {
  const plan = await migrationPlan({ database })
  const { applied, pending, bytes, transactions, changes, seconds } = plan
  if (!dryRun)
    await migrateDatabase({ database }, (_, { step, part, parts }) => {
      if (!json && parts !== 1) out(`${step}: part ${part} of ${parts}`)
    })
  if (json) return out(JSON.stringify({ ...plan, ran: dryRun ? [] : pending }))
  if (pending.length === 0) return out(`Nothing to do: all ${applied.length} steps have run.`)
  out(dryRun ? `Steps that would run: ${pending.join(', ')}.` : `Steps that ran: ${pending.join(', ')}.`)
  if (!dryRun) return
  if (transactions === 0) return out('The database has no transactions yet: this takes a moment.')
  for (const { table, rows, bytes: size, passes } of changes)
    out(`  ${table}: about ${rows} rows, ${megabytes(size)}, gone through ${passes} times`)
  out(`The database holds about ${transactions} transactions in ${megabytes(bytes)}. ${durationOf(seconds)}`)
  out(
    'Each step is one SQL transaction: while it runs, the tables it changes cannot be written, and processes of the older',
  )
  out('version wait. Nothing was changed.')
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / MB)} MB`

function durationOf(seconds: number | null): string {
  if (seconds === null) return 'No large table is rewritten: this takes a moment.'
  const time = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
  return `At the speed at which this server just sorted a part of them, this takes up to ${time}.`
}
