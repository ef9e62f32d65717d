// Tables as they were before a step, made out of those of today.

import { type Sql, sql } from '../../server/store/index.ts'

const REPLACED = {
  transactions: ['transactions_by_lt', 'transactions_by_time'],
  actions: ['actions_by_lt', 'actions_by_time', 'actions_by_type', 'actions_by_type_time'],
  action_accounts: [],
}

/** Before housekeeping was marked; of the indexes that were replaced only the names. */
export async function forgetSystem(to: Sql): Promise<void> {
  for (const [table, indexes] of Object.entries(REPLACED)) {
    await to.query(sql`alter table ${sql.identifier(table)} drop column is_system`)
    for (const index of indexes)
      await to.query(sql`create index ${sql.identifier(index)} on ${sql.identifier(table)} (trace_id)`)
  }
}
