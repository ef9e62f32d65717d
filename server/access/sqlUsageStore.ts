// Usage in the database that the processes of a service share.

import { addUsage, type Database, readMonths, readUsage, removeUsage } from '../store/index.ts'
import { asKeyStoreError } from './keyStoreError.ts'
import { KEPT_DAYS, KEPT_MONTHS, type UsageBatch, type UsageStore } from './usageStore.ts'

/** Rows that are removed with a batch: those of years take some hundreds of batches. */
const REMOVED_AT_ONCE = 5_000

const newestDay = ({ usage }: UsageBatch): string =>
  usage.reduce((newest, { day }) => (day > newest ? day : newest), '')

export function createSqlUsageStore(database: Pick<Database, 'read' | 'transaction'>): UsageStore {
  /** The newest day before which all that is too old was removed. */
  let removed = ''
  return {
    async add(batch) {
      await addUsage(database, batch)
      const today = newestDay(batch)
      if (today <= removed) return
      const count = await removeUsage(database, { today, days: KEPT_DAYS, months: KEPT_MONTHS, limit: REMOVED_AT_ONCE })
      if (count < REMOVED_AT_ONCE) removed = today
    },
    read: (range) => asKeyStoreError(readUsage(database.read, range, KEPT_DAYS), 'The usage of keys'),
    months: (month, keyIds) => readMonths(database.read, month, keyIds),
  }
}
