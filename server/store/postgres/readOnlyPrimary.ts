// A database whose address leads to a replica, as for a while after its primary was lost.

import type pg from 'pg'
import { SQL_STATES } from '../sqlStates.ts'
import { StoreError } from '../storeError.ts'

export async function isReplica(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ stands: boolean }>('select pg_is_in_recovery() as stands')
  return rows[0]?.stands === true
}

export const readOnlyError = (cause?: unknown): StoreError => {
  const text = 'The database is a replica, which takes no writes: let its address lead to the primary'
  return new StoreError('unavailable', text, { cause, sqlState: SQL_STATES.readOnly })
}
