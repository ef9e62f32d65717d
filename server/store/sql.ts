// SQL as it is written in the sources, with its values in a list next to it and never in the text.

import type { SqlText, SqlValue } from './database.ts'

/** What is said of a whole statement. */
type Marks = Pick<SqlText, 'isSteady' | 'spans' | 'besideWhole'>

const NO_SPANS: readonly string[] = []

/** Text in pieces with a value between each two; `$1`, `$2` are numbered when the whole is known. */
class Statement implements SqlText {
  readonly pieces: readonly string[]
  readonly values: readonly SqlValue[]
  readonly isSteady: boolean
  readonly spans: readonly string[]
  readonly besideWhole: readonly string[] | undefined
  #text: string | undefined

  constructor(pieces: readonly string[], values: readonly SqlValue[], marks: Marks = {}) {
    this.pieces = pieces
    this.values = values
    this.isSteady = marks.isSteady ?? false
    this.spans = marks.spans ?? NO_SPANS
    this.besideWhole = marks.besideWhole
  }

  get text(): string {
    this.#text ??= this.pieces.reduce((text, piece, i) => `${text}$${i}${piece}`)
    return this.#text
  }

  with(values: readonly SqlValue[]): Statement {
    if (values.length !== this.values.length) throw new TypeError('A statement takes as many values as it had')
    const other = new Statement(this.pieces, values, this)
    other.#text = this.text
    return other
  }
}

/** Appends statements and values, with text between them. */
class Builder {
  readonly #pieces = ['']
  readonly #values: SqlValue[] = []

  text(text: string): void {
    this.#pieces.push(`${this.#pieces.pop() ?? ''}${text}`)
  }

  value(value: SqlValue): void {
    this.#values.push(value)
    this.#pieces.push('')
  }

  part(part: SqlValue | SqlText): void {
    if (!(part instanceof Statement)) {
      if (isForeign(part)) throw new TypeError('A part of a statement was not made by the sql tag')
      this.value(part)
      return
    }
    part.pieces.forEach((piece, i) => {
      if (i > 0) this.value(part.values[i - 1] ?? null)
      this.text(piece)
    })
  }

  build(): SqlText {
    return new Statement(this.#pieces, this.#values)
  }
}

const isForeign = (part: SqlValue | SqlText): part is SqlText =>
  part === undefined ||
  (typeof part === 'object' && part !== null && !Array.isArray(part) && !(part instanceof Uint8Array))

function tag(strings: TemplateStringsArray, ...parts: readonly (SqlValue | SqlText)[]): SqlText {
  const builder = new Builder()
  strings.forEach((text, i) => {
    // The cast: there is a part between each two texts. `undefined` is refused: left out by mistake, it is not null.
    if (i > 0) builder.part(parts[i - 1] as SqlValue | SqlText)
    builder.text(text)
  })
  return builder.build()
}

/** Parts one after the other, `separator` between them. */
function join(parts: readonly SqlText[], separator = ', '): SqlText {
  const builder = new Builder()
  parts.forEach((part, i) => {
    if (i > 0) builder.text(separator)
    builder.part(part)
  })
  return builder.build()
}

/** A name of a table, column or type: small letters, digits, `_` and `[]`. Never made of what a caller sent. */
function identifier(text: string): SqlText {
  if (!/^[a-z_][a-z0-9_]*(\[\])?$/.test(text)) throw new TypeError('A name in SQL has only small letters, digits and _')
  return new Statement([text], [])
}

/** A text from the sources, such as a migration. Never made of what a caller sent. */
const raw = (text: string): SqlText => new Statement([text], [])

/**
 * Marks a statement by keys or along one index, whose plan is the same for all values: planning it each time makes it two to
 * three times slower on the embedded database.
 */
function steady(statement: SqlText): SqlText {
  return marked(statement, { isSteady: true })
}

/** Marks columns of bytes or text whose values are used once, and at once: they may come as a `ByteSpan`, without a copy. */
const withSpans = (statement: SqlText, spans: readonly string[]): SqlText => marked(statement, { spans })

/** Marks a statement whose rows are written as they were received: see `RowPlaces`. */
const wholeRows = (statement: SqlText, beside: readonly string[]): SqlText => marked(statement, { besideWhole: beside })

function marked(statement: SqlText, marks: Marks): SqlText {
  if (!(statement instanceof Statement)) throw new TypeError('A statement was not made by the sql tag')
  const { pieces, values, isSteady, spans, besideWhole } = statement
  return new Statement(pieces, values, { isSteady, spans, besideWhole, ...marks })
}

/** The same statement with other values: a text that is used often is put together once. */
function refill(statement: SqlText, values: readonly SqlValue[]): SqlText {
  if (!(statement instanceof Statement)) throw new TypeError('A statement was not made by the sql tag')
  return statement.with(values)
}

/**
 * `` sql`select lt from transactions where account = ${account} ${order}` ``: a value becomes a parameter, another
 * statement (here `order`) becomes part of the text.
 */
export const sql = Object.assign(tag, { join, identifier, raw, refill, steady, withSpans, wholeRows, empty: raw('') })
