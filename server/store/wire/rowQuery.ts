// A statement whose rows come in binary form. The driver sends it and learns how it ends; the rows are read here.

import pg from 'pg'
import type { SqlRow } from '../database.ts'
import type { WireValue } from '../parameters.ts'
import { contradiction } from './binaryValues.ts'
import { type ReadRow, type RowForm, rowReaderOf } from './rowReader.ts'
import type { DescriptionMessage, RowMessage } from './serverMessages.ts'

export interface WireStatement {
  readonly text: string
  readonly values: readonly WireValue[]
  /** Of the prepared statement; null for none. */
  readonly name: string | null
  readonly form?: RowForm
}

const USUAL: RowForm = {}

export interface WireAnswer {
  readonly rows: readonly SqlRow[]
  /** `SELECT`, `COMMIT` and so on. */
  readonly command: string
}

type Ended = (error: Error | undefined, result: pg.ResultBuilder) => void

class RowQuery extends pg.Query {
  readonly found: SqlRow[] = []
  /** Of a row that could not be read; the rows behind it are passed over. */
  failure: Error | null = null
  form = USUAL
  #read: ReadRow | null = null
  readonly name: string | undefined
  readonly values: readonly WireValue[]
  readonly binary = true

  constructor({ text, values, name }: WireStatement, callback: Ended) {
    // Not as an object, which the driver would copy member by member.
    super(text, callback)
    this.name = name ?? undefined
    this.values = values
  }

  /** The driver calls it. */
  handleRowDescription({ bytes }: DescriptionMessage): void {
    this.#guarded(() => {
      this.#read = rowReaderOf(bytes, this.form)
    })
  }

  /** The driver calls it. */
  handleDataRow({ bytes, at, end }: RowMessage): void {
    this.#guarded(() => {
      if (this.#read === null) throw contradiction()
      this.found.push(this.#read(bytes, at, end))
    })
  }

  #guarded(work: () => void): void {
    if (this.failure !== null) return
    try {
      work()
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }
}

/** Runs a statement on a client whose rows are handed over. Without values and a name it may be several, whose last one answers. */
export function runOnWire(
  client: pg.ClientBase,
  { text, values, name, form = USUAL }: WireStatement,
): Promise<WireAnswer> {
  // Several statements in one text have their results in text form, and go the way of the driver.
  if (values.length === 0 && name === null && form.besideWhole === undefined) return runPlainly(client, text)
  return new Promise((resolve, reject) => {
    const query = new RowQuery({ text, values, name }, (error, result) => {
      const failure = error ?? query.failure
      if (failure) reject(failure)
      else resolve({ rows: query.found, command: result.command })
    })
    query.form = form
    client.query(query)
  })
}

async function runPlainly(client: pg.ClientBase, text: string): Promise<WireAnswer> {
  const result = await client.query(text)
  return Array.isArray(result) ? result.at(-1) : result
}
