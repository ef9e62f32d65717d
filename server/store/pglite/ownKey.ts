// The salt of the keys in large indexes, for databases that begin with the image of the build: those of one build have the same,
// which anybody can read. The first start changes it, before any statement has used it.

import type { Database } from '../database.ts'
import { changeKey } from '../migrations/0026_keyedIndexes.ts'
import { sql } from '../sql.ts'

/** The function's comment in the image; it goes with the change of the salt. */
const SHARED = 'shared'

/** For an image. */
export async function shareKey(database: Pick<Database, 'transaction'>): Promise<void> {
  await database.transaction((to) => to.query(sql.raw(`comment on function short_key(bytea) is '${SHARED}'`)))
}

/** Gives a database of the image a salt of its own. The first statement after its tables are up to date. */
export async function ownKey(database: Pick<Database, 'read' | 'transaction'>): Promise<void> {
  const [key] = await database.read.query<{ note: string | null }>(
    sql`select obj_description(to_regprocedure('short_key(bytea)'), 'pg_proc') as note`,
  )
  if (key?.note !== SHARED) return
  await database.transaction(async (to) => {
    await to.query(sql.raw(changeKey))
    await to.query(sql`comment on function short_key(bytea) is null`)
  })
}
