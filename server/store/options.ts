import type { Migration } from './migrations/index.ts'

/** A constant text and the facts beside it, ready for a log line. */
export type Notice = (text: string, facts: Readonly<Record<string, unknown>>) => void

export interface StoreOptions {
  /** `pglite` for the embedded database, or the address of a PostgreSQL, `postgres://...`. */
  readonly database: string
  /** The embedded database is kept here; null keeps it in memory only. Of no meaning for PostgreSQL. */
  readonly folder?: string | null
  /** The address of a replica to read from; by default reads go where writes go. */
  readonly databaseRead?: string | undefined
  /** Bring the tables up to date first; on by default. A process that only reads may leave that to the others. */
  readonly migrate?: boolean
  /** What the tables are made by; by default those of this program. */
  readonly migrations?: readonly Migration[]
  /** Milliseconds a statement of `read` may take. */
  readonly readTimeoutMs?: number
  /** Connections to a PostgreSQL for reading, and for writing. */
  readonly readConnections?: number
  readonly writeConnections?: number
  /** Statements that may wait for their turn. */
  readonly queueLimit?: number
  readonly notice?: Notice
}
