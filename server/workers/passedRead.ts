// Statements of a worker that cannot read the index by itself: the owner sends them to its database, and passes the rows on without
// looking at them. Rows go as lists of values, since a name for each would be most of a short one.

import { ByteSpan, type Sql, type SqlRow, type SqlText, type SqlValue, type StatementOptions } from '../store/index.ts'

export interface PassedRead {
  readonly text: string
  readonly values: readonly SqlValue[]
  readonly isSteady: boolean
  readonly besideWhole: readonly string[] | undefined
  /** Null for the limit of the database. */
  readonly timeoutMs: number | null
}

export interface PassedRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** A row as it was received goes as its bytes, which `spanOf` reads as well. */
const passedValue = (value: unknown): unknown =>
  value instanceof ByteSpan ? value.source.subarray(value.at, value.end) : value

/** The owner's side. */
export async function answerRead(
  from: Sql,
  { timeoutMs, ...statement }: PassedRead,
  signal: AbortSignal,
): Promise<PassedRows> {
  let ended: Promise<unknown> = Promise.resolve()
  const onBegun = (one: Promise<unknown>): void => {
    ended = one
  }
  const limits = timeoutMs === null ? { signal, onBegun } : { signal, onBegun, timeoutMs }
  const rows = await from.query(statement, limits).catch(async (error: unknown) => {
    // For the worker it runs as long as it does here.
    await ended.catch(() => undefined)
    throw error
  })
  const columns = Object.keys(rows[0] ?? {})
  return { columns, rows: rows.map((row) => columns.map((name) => passedValue(row[name]))) }
}

/** The worker's side; `ask` passes a statement to the owner. */
export class PassedReads implements Sql {
  readonly #ask: (read: PassedRead, signal: AbortSignal | undefined) => Promise<PassedRows>

  constructor(ask: (read: PassedRead, signal: AbortSignal | undefined) => Promise<PassedRows>) {
    this.#ask = ask
  }

  async query<R extends SqlRow>(
    statement: SqlText,
    { timeoutMs, signal, onBegun }: StatementOptions = {},
  ): Promise<readonly R[]> {
    const { text, values, isSteady = false, besideWhole } = statement
    const answer = this.#ask({ text, values, isSteady, besideWhole, timeoutMs: timeoutMs ?? null }, signal)
    onBegun?.(answer)
    const { columns, rows } = await answer
    const named = rows.map((row) => {
      const one: Record<string, unknown> = {}
      for (let i = 0; i < columns.length; i++) one[columns[i] ?? ''] = row[i]
      return one
    })
    // The cast: that the columns of the statement make an R is up to the caller.
    return named as readonly SqlRow[] as readonly R[]
  }
}
