// An index that an older version wrote, brought up to date in place.

import { expect } from 'vitest'
import { type Sql, sql } from '../../server/store/index.ts'
import { migrate } from '../../server/store/migrate.ts'
import { migrations } from '../../server/store/migrations/index.ts'
import type { TestDatabase } from './database.ts'

interface OlderIndex {
  /** Name of the first step that it lacks. */
  readonly step: string
  /** Makes its tables as they were before that step. */
  readonly forget: (to: Sql) => Promise<void>
  /** The part of the step, from 1 on, at which the first migration ends. */
  readonly cutAt: number
  /** Runs between that migration and the one that goes on. */
  readonly meanwhile?: () => Promise<void>
}

/** Names and definitions of all indexes. */
export const indexesOf = ({ read }: Pick<TestDatabase, 'read'>) =>
  read.query(sql`select indexname::text as name, indexdef from pg_indexes where schemaname = 'public' order by 1`)

/** Returns the parts of the step in the order in which they began. */
export async function migrateInTwo(store: TestDatabase, index: OlderIndex): Promise<readonly unknown[]> {
  const { step: first, forget, cutAt, meanwhile = async () => undefined } = index
  await store.transaction(async (to) => {
    await forget(to)
    await to.query(sql`delete from tonrpc_migrations where number >= ${Number.parseInt(first, 10)}::int4`)
  })
  const parts: unknown[] = []
  const progress = (_: string, { step, part }: Readonly<Record<string, unknown>>): void => {
    if (step !== first) return
    parts.push(part)
    if (parts.length === cutAt) throw new Error('cut short')
  }
  await expect(migrate(store, migrations, progress)).rejects.toThrow('cut short')
  await meanwhile()
  await migrate(store, migrations, progress)
  return parts
}
