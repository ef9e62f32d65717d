// What the rest of the room asks of a database, whichever it is: one way to query, one to write, one to lead.

/** What may stand in a statement. A list is one parameter, an array of its kind; Uint8Array is bytea. */
export type SqlValue = null | boolean | number | bigint | string | Uint8Array | readonly SqlValue[]

/** A statement and its parameters, made by the `sql` tag and by nothing else. */
export interface SqlText {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** True of a statement for which there is one way, whatever the values: a database may look for it once. */
  readonly isSteady?: boolean
}

/**
 * A row by the names of its columns. Whatever the driver: int2 and int4 are number; int8 and numeric, whole numbers here,
 * bigint; text is string; bytea Uint8Array; bool boolean; json and jsonb the text of the JSON, not parsed; an array of
 * these is an array, with null for what is missing.
 */
export type Row = Readonly<Record<string, unknown>>

export interface QueryOptions {
  /** Milliseconds the statement may take; reads have a limit of their own when there is none here. */
  readonly timeoutMs?: number
  /** Nobody waits for the answer any more; the statement is dropped, or ended where that is possible. */
  readonly signal?: AbortSignal
  /** Whether a read whose connection broke is tried again for some seconds; true by default. */
  readonly retries?: boolean
}

export interface Sql {
  /** The rows of one statement. Throws StoreError. */
  query<R extends Row>(sql: SqlText, options?: QueryOptions): Promise<readonly R[]>
}

export interface TransactionOptions {
  /** Called when all of the transaction is on its way to the database, its end too. */
  readonly onAsked?: () => void
}

export interface Leadership {
  /** Aborted when somebody else may lead from now on. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

export interface Database {
  readonly kind: 'pglite' | 'postgres'
  /** For reading only, each statement by itself; may be a replica, some moments behind. */
  readonly read: Sql
  /**
   * One SQL transaction: rolled back when `work` throws, committed before this resolves. `work` may run again when the
   * database was busy with another transaction, so it changes nothing but the database. Statements it asks without waiting
   * for the one before run in the order they were asked in; behind one that fails, all fail. What `work` does not wait for
   * at all belongs to it as well.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Resolves when this process is the one that writes; rejects when `signal` aborts first. */
  lead(signal: AbortSignal): Promise<Leadership>
  close(): Promise<void>
}
