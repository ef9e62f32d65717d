// A statement whose rows come in binary form. The driver sends it and learns how it ends; the rows are read here.

import pg from 'pg'
import type { SqlRow } from '../database.ts'
import type { WireValue } from '../parameters.ts'
import { contradiction } from './binaryValues.ts'
import { boundStatement, statementAhead } from './boundStatement.ts'
import { type ReadRow, type RowForm, rowReaderOf } from './rowReader.ts'
import type { DescriptionMessage, RowMessage } from './serverMessages.ts'

export interface WireStatement {
  readonly text: string
  readonly values: readonly WireValue[]
  /** Of the prepared statement; null for none. */
  readonly name: string | null
  readonly form?: RowForm
  /** Sets something ahead of the statement; when the statement fails, that may be undone. */
  readonly setting?: string | null
}

const USUAL: RowForm = {}

export interface WireAnswer {
  readonly rows: readonly SqlRow[]
  /** `SELECT`, `COMMIT` and so on. */
  readonly command: string
}

/** Rows of a prepared statement, whose columns stay as they were described. */
interface Described {
  readonly description: Buffer
  readonly form: RowForm
  readonly read: ReadRow
}

/** By the names of statements on a connection. */
const described = new WeakMap<pg.Connection, Map<string, Described>>()

/** Messages by the text of a setting. There are few. */
const settings = new Map<string, Buffer>()

function messagesOf(text: string): Buffer {
  const known = settings.get(text)
  if (known !== undefined) return known
  const bytes = statementAhead(text)
  settings.set(text, bytes)
  return bytes
}

/** Of the driver; the types leave it out. */
const prepareByDriver: unknown = Reflect.get(pg.Query.prototype, 'prepare')
const completeByDriver: unknown = Reflect.get(pg.Query.prototype, 'handleCommandComplete')

const isAlike = (a: RowForm, b: RowForm): boolean => a.spans === b.spans && a.besideWhole === b.besideWhole

function readerFor(known: Described, form: RowForm): ReadRow {
  return isAlike(known.form, form) ? known.read : rowReaderOf(known.description, form)
}

type Ended = (error: Error | undefined, result: pg.ResultBuilder) => void

class RowQuery extends pg.Query {
  readonly found: SqlRow[] = []
  /** Of a row that could not be read; the rows behind it are passed over. */
  failure: Error | null = null
  form = USUAL
  /** Only for what is described on its connection. */
  setting: string | null = null
  #isSetting = false
  #read: ReadRow | null = null
  /** That it was sent on. */
  #connection: pg.Connection | null = null
  readonly name: string | undefined
  readonly values: readonly WireValue[]
  readonly binary = true

  constructor({ text, values, name }: WireStatement, callback: Ended) {
    // Not as an object, which the driver would copy member by member.
    super(text, callback)
    this.name = name ?? undefined
    this.values = values
  }

  /** The driver calls it to send the statement. What is prepared and described on this connection is not described again. */
  prepare(connection: pg.Connection): void {
    const { name, form } = this
    const known = name === undefined ? undefined : described.get(connection)?.get(name)
    if (name !== undefined && known !== undefined) {
      this.#read = readerFor(known, form)
      const { setting, values } = this
      this.#isSetting = setting !== null
      const ahead = setting === null ? undefined : messagesOf(setting)
      // Of a connection that is lost the driver says so.
      if (connection.stream.writable) connection.stream.write(boundStatement(name, values, ahead))
      return
    }
    if (typeof prepareByDriver !== 'function') throw new TypeError('The driver prepares statements in another way')
    this.#connection = connection
    prepareByDriver.call(this, connection)
  }

  /** The driver calls it. */
  handleRowDescription({ bytes }: DescriptionMessage): void {
    this.#guarded(() => {
      const read = rowReaderOf(bytes, this.form)
      this.#read = read
      if (this.name === undefined || this.#connection === null) return
      const names = described.get(this.#connection) ?? new Map<string, Described>()
      described.set(this.#connection, names.set(this.name, { description: Buffer.from(bytes), form: this.form, read }))
    })
  }

  /** The driver calls it. */
  handleDataRow({ bytes, at, end }: RowMessage): void {
    this.#guarded(() => {
      if (this.#read === null) throw contradiction()
      this.found.push(this.#read(bytes, at, end))
    })
  }

  /** The driver calls it, for what was set as well. */
  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isSetting) this.#isSetting = false
    else if (typeof completeByDriver === 'function') completeByDriver.call(this, message, connection)
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

function isDescribed(client: pg.ClientBase, name: string): boolean {
  const connection = 'connection' in client ? client.connection : null
  return connection instanceof pg.Connection && described.get(connection)?.has(name) === true
}

/** Called once; without an answer there is an error. */
export type Answered = (error: unknown, answer: WireAnswer | null) => void

/** Runs a statement on a client whose rows are handed over. Without values and a name it may be several, whose last one answers. */
export function askOnWire(
  client: pg.ClientBase,
  { text, values, name, form = USUAL, setting = null }: WireStatement,
  answered: Answered,
): void {
  const isWithIt = setting !== null && name !== null && isDescribed(client, name)
  // When it fails, the connection is lost, and the statement with it.
  if (setting !== null && !isWithIt) client.query(setting).catch(() => undefined)
  // Several statements in one text have their results in text form, and go the way of the driver.
  if (values.length === 0 && name === null && form.besideWhole === undefined) {
    runPlainly(client, text).then(
      (answer) => answered(null, answer),
      (error: unknown) => answered(error, null),
    )
    return
  }
  const query = new RowQuery({ text, values, name }, (error, result) => {
    const failure = error ?? query.failure
    if (failure) answered(failure, null)
    else answered(null, { rows: query.found, command: result.command })
  })
  query.form = form
  if (isWithIt) query.setting = setting
  client.query(query)
}

/** The same as a promise. */
export const runOnWire = (client: pg.ClientBase, statement: WireStatement): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    askOnWire(client, statement, (error, answer) => (answer === null ? reject(error) : resolve(answer)))
  })

async function runPlainly(client: pg.ClientBase, text: string): Promise<WireAnswer> {
  const result = await client.query(text)
  return Array.isArray(result) ? result.at(-1) : result
}
