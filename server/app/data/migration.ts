// Checks the tables of a PostgreSQL and brings them up to date without starting the service.

import { openDatabase, planOfDatabase, type StoreOptions } from '../../store/index.ts'
import type { Config } from '../settings/settings.ts'

type Place = Pick<Config, 'database'>

/** What a start of this version would change. Changes nothing. Throws StoreError. */
export const migrationPlan = ({ database }: Place) => planOfDatabase({ database })

/** Runs what is pending. Several at once, or a start next to it, do it one after the other. Throws StoreError. */
export async function migrateDatabase(
  { database }: Place,
  progress: NonNullable<StoreOptions['progress']>,
): Promise<void> {
  await (await openDatabase({ database, progress, duringMove: true })).close()
}
