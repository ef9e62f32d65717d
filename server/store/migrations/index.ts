// The tables, step by step. A step that has been released is never changed: what it made stands in somebody's database.

export interface Migration {
  /** 1, 2, 3 and so on without a gap. */
  readonly number: number
  /** As in the name of the file: `0001_base`. */
  readonly name: string
  /** Any number of statements, run in one transaction. */
  readonly sql: string
}

export const migrations: readonly Migration[] = []
