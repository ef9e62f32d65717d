import type { DatabaseAddress } from './databaseAddress.ts'
import type { Migration } from './migrations/index.ts'

/** Takes a line for the log: a constant text, and the facts of this case. */
export type StoreNotice = (text: string, facts: Readonly<Record<string, unknown>>) => void

export interface StoreOptions {
  /** `pglite` for the embedded database, or the address of a PostgreSQL, `postgres://...`. */
  readonly database: DatabaseAddress
  /** Where the embedded database is kept; null for memory only. Without a meaning for PostgreSQL. */
  readonly folder?: string | null
  /** Delete what earlier starts set aside next to the embedded database: its chain is deleted too. */
  readonly dropSetAside?: boolean
  /** The address of a replica to read from; by default reads go where writes go. */
  readonly databaseRead?: DatabaseAddress | undefined
  /** Whether to run migrations first; true by default. A process that only reads may leave them to the writer. */
  readonly migrate?: boolean
  /** Open it although an embedded index is being copied into it. */
  readonly duringMove?: boolean
  /** By default those of this program. */
  readonly migrations?: readonly Migration[]
  /** Milliseconds a statement of `read` may take. */
  readonly readTimeoutMs?: number
  /** Milliseconds without a statement after which a transaction is ended. */
  readonly idleMs?: number
  /** Most connections to a PostgreSQL for reading, and for writing. */
  readonly readConnections?: number
  readonly writeConnections?: number
  /** Most statements in the queue. */
  readonly queueLimit?: number
  readonly notice?: StoreNotice
  /** Receives a line for each part of a migration. */
  readonly progress?: StoreNotice
  /** Called when a thread has begun to open an embedded database, or for another one at once: from then on this process may be busy. */
  readonly onBegun?: () => void
  /** Aborts the start of an embedded database. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that closing an embedded database waits for what runs and for what is in memory to be written out. */
  readonly closeMs?: number
}
