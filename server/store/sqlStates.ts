// Error codes of PostgreSQL that are handled one by one. `failure.ts` has what all others mean.

export const SQL_STATES = {
  /** Among others: a cached plan whose columns have changed, and a transaction that is to write on a replica. */
  unsupported: '0A000',
  readOnly: '25006',
  noSuchStatement: '26000',
  noSuchSchema: '3F000',
  denied: '42501',
  noSuchSetting: '42704',
  noSuchFunction: '42883',
  noSuchTable: '42P01',
  statementExists: '42P05',
  tooManyConnections: '53300',
} as const
