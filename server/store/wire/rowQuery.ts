// A statement whose rows come in binary form. The driver sends it and learns how it ends; the rows are read here.

import pg from 'pg'
import type { SqlRow } from '../database.ts'
import type { WireValue } from '../parameters.ts'
import { contradiction } from './binaryValues.ts'
import { boundStatement, statementAhead } from './boundStatement.ts'
import { type ReadRow, type RowForm, rowReaderOf } from './rowReader.ts'
import type { CompletionMessage, DescriptionMessage, RowMessage } from './serverMessages.ts'

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

/** Called once; without an answer there is an error. */
export type Answered = (error: unknown, answer: WireAnswer | null) => void

/** Rows of a prepared statement, whose columns stay as they were described. */
interface Described {
  readonly description: Buffer
  readonly form: RowForm
  readonly read: ReadRow
}

const nothing = (): void => undefined

/** The word in front of the number of rows. */
function commandOf(text: string): string {
  const end = text.indexOf(' ')
  return end < 0 ? text : text.slice(0, end)
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

/** Of the driver; the types leave them out. */
const submitByDriver: unknown = Reflect.get(pg.Query.prototype, 'submit')

const isAlike = (a: RowForm, b: RowForm): boolean => a.spans === b.spans && a.besideWhole === b.besideWhole

function readerFor(known: Described, form: RowForm): ReadRow {
  return isAlike(known.form, form) ? known.read : rowReaderOf(known.description, form)
}

/**
 * A query of the driver, by its prototype: among statements that are sent ahead it takes no others. Its own constructor makes an emitter of
 * events, and a result with lists of columns and rows, none of which is used here.
 */
class RowQuery implements pg.Submittable {
  readonly text: string
  readonly name: string | undefined
  readonly values: readonly WireValue[]
  readonly binary = true
  readonly portal = ''
  /** The driver puts its own in its place where queries have a limit of time in its settings. */
  callback: () => void = nothing
  readonly #form: RowForm
  /** Only for what is described on its connection. */
  readonly #setting: string | null
  readonly #answered: Answered
  readonly #found: SqlRow[] = []
  /** Of a row that could not be read; the rows behind it are passed over. */
  #failure: Error | null = null
  #command = ''
  #isSetting = false
  #read: ReadRow | null = null
  /** That it was sent on. */
  #connection: pg.Connection | null = null
  #isOver = false

  constructor({ text, values, name, form = USUAL, setting = null }: WireStatement, answered: Answered) {
    this.text = text
    this.name = name ?? undefined
    this.values = values
    this.#form = form
    this.#setting = setting
    this.#answered = answered
  }

  /** The driver calls it to send the statement. What is prepared and described on this connection is not described again. */
  submit(connection: pg.Connection): unknown {
    const { name } = this
    const known = name === undefined ? undefined : described.get(connection)?.get(name)
    if (name === undefined || known === undefined) {
      if (typeof submitByDriver !== 'function') throw new TypeError('The driver sends statements in another way')
      this.#connection = connection
      return submitByDriver.call(this, connection)
    }
    this.#read = readerFor(known, this.#form)
    const setting = this.#setting
    this.#isSetting = setting !== null
    const ahead = setting === null ? undefined : messagesOf(setting)
    // Of a connection that is lost the driver says so.
    if (connection.stream.writable) connection.stream.write(boundStatement(name, this.values, ahead))
    return null
  }

  /** The driver calls it. */
  handleRowDescription({ bytes }: DescriptionMessage): void {
    this.#guarded(() => {
      const read = rowReaderOf(bytes, this.#form)
      this.#read = read
      if (this.name === undefined || this.#connection === null) return
      const names = described.get(this.#connection) ?? new Map<string, Described>()
      described.set(this.#connection, names.set(this.name, { description: Buffer.from(bytes), form: this.#form, read }))
    })
  }

  /** The driver calls it. */
  handleDataRow({ bytes, at, end }: RowMessage): void {
    this.#guarded(() => {
      if (this.#read === null) throw contradiction()
      this.#found.push(this.#read(bytes, at, end))
    })
  }

  /** The driver calls it, for what was set as well. */
  handleCommandComplete({ text }: CompletionMessage): void {
    if (this.#isSetting) this.#isSetting = false
    else this.#command = commandOf(text)
  }

  /** The driver calls it at the end. */
  handleReadyForQuery(): void {
    if (this.#failure !== null) this.#end(this.#failure, null)
    else this.#end(undefined, { rows: this.#found, command: this.#command })
  }

  /** The driver calls it when the statement fails. */
  handleError(error: unknown): void {
    this.#end(error, null)
  }

  /** A statement over the limit of time in the driver's settings fails with that, and again with its connection, which is ended. */
  #end(error: unknown, answer: WireAnswer | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.callback()
    this.#answered(error, answer)
  }

  #guarded(work: () => void): void {
    if (this.#failure !== null) return
    try {
      work()
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
    }
  }
}

Object.setPrototypeOf(RowQuery.prototype, pg.Query.prototype)

function isDescribed(client: pg.ClientBase, name: string): boolean {
  const connection = 'connection' in client ? client.connection : null
  return connection instanceof pg.Connection && described.get(connection)?.has(name) === true
}

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
  client.query(new RowQuery({ text, values, name, form, setting: isWithIt ? setting : null }, answered))
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
