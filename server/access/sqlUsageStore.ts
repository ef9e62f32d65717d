// Usage in the database that the processes of a service share.

import { addUsage, type Database, readMonths, readUsage } from '../store/index.ts'
import type { CountedUsage, UsageStore } from './usageStore.ts'

export const createSqlUsageStore = (database: Pick<Database, 'read' | 'transaction'>): UsageStore => ({
  add: ({ writer, number, usage, months }) =>
    addUsage(database, {
      writer,
      number,
      usage: usage.map(({ keyId, ...counts }) => ({ key_id: keyId, ...counts })),
      months: months.map(({ month, keyId, weight }) => ({ month, key_id: keyId, weight })),
    }),
  read: async (range) =>
    (await readUsage(database.read, range)).map(
      ({ key_id, ...counts }): CountedUsage => ({ keyId: key_id, ...counts }),
    ),
  months: (month, keyIds) => readMonths(database.read, month, keyIds),
})
