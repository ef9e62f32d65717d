// The interface both databases implement: one way to query, one to write, one to lead.

/** A parameter of a statement. A list is one parameter, an array of its kind; Uint8Array is bytea. */
export type SqlValue = null | boolean | number | bigint | string | Uint8Array | readonly SqlValue[]

/** A statement and its parameters, made by the `sql` tag and by nothing else. */
export interface SqlText {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** True where one plan fits all values: the embedded database then plans it once. */
  readonly isSteady?: boolean
  /** Columns of bytes or text whose values may come as a `ByteSpan`. */
  readonly spans?: readonly string[]
  /** Only these columns come as values. All of a row comes as a `ByteSpan` in its member `whole`, for `RowPlaces`. */
  readonly besideWhole?: readonly string[] | undefined
}

/**
 * A row by the names of its columns. Whatever the driver: int2 and int4 are number; int8 and numeric, whole numbers here,
 * bigint; text is string; bytea Uint8Array; bool boolean; json and jsonb the text of the JSON, not parsed; an array of
 * these is an array, with null for a missing element.
 */
export type SqlRow = Readonly<Record<string, unknown>>

export interface StatementOptions {
  /** Milliseconds the statement may take; by default the limit of its database. */
  readonly timeoutMs?: number
  /** Aborts the call: the statement is dropped if it has not begun. */
  readonly signal?: AbortSignal
  /** Called with the end of each statement: once begun it keeps its connection until then, also when its caller has left. */
  readonly onBegun?: (ended: Promise<unknown>) => void
  /** Whether a read is retried for some seconds when its connection breaks; true by default. */
  readonly retries?: boolean
}

export interface Sql {
  /** The rows of one statement. Throws StoreError. */
  query<R extends SqlRow>(sql: SqlText, options?: StatementOptions): Promise<readonly R[]>
}

export interface TransactionOptions {
  /** Called when all statements of the transaction are sent, `commit` too. */
  readonly onSent?: () => void
}

export interface Leadership {
  /** Aborted when another process may lead from now on. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Names a block of the masterchain. */
export interface MasterId {
  readonly seqno: number
  readonly rootHash: Uint8Array
}

export interface ReadLoad {
  /** Connections for reading that are open. */
  readonly open: number
  readonly busy: number
  /** Reads that wait for a connection. */
  readonly waiting: number
}

export interface Database {
  readonly kind: 'pglite' | 'postgres'
  /** Reads of now; absent where reads run one after the other. */
  readonly load?: ReadLoad
  /** For reading only, each statement by itself; may be a replica, some moments behind. */
  readonly read: Sql
  /** From now on `read` has this block, the newest one reported; null for none. Absent where it always has what was written. */
  keepUp?(head: MasterId | null): void
  /**
   * One SQL transaction: rolled back when `work` throws, committed before this resolves. `work` may run again after a
   * conflict with another transaction, so it must change nothing but the database. Statements it sends without waiting run in
   * the order they were sent; behind one that fails, all fail. Those that `work` never waits for are part of it as well.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Resolves when this process leads, the only one that writes; rejects when `signal` aborts first. `onStandby` is called once when
   * another process turns out to lead, and to be alive.
   */
  lead(signal: AbortSignal, onStandby?: () => void): Promise<Leadership>
  /** Embedded: runs `work` while its files stay as they are, and reads wait. A copy of them is whole then, as after a kill. */
  standstill?(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}
