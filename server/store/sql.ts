// SQL as it is written in the sources, with its values in a list next to it and never in the text.

import type { SqlText, SqlValue } from './database.ts'
import { type FormPart, formOfJoin, formOfTag, formOfText, type StatementForm } from './statementForms.ts'

/** What is said of a whole statement. */
type Marks = Pick<SqlText, 'isSteady' | 'spans' | 'besideWhole'>

const NO_SPANS: readonly string[] = []

/** Its text is that of all statements that are written alike. */
class Statement implements SqlText {
  readonly form: StatementForm
  readonly values: readonly SqlValue[]
  readonly isSteady: boolean
  readonly spans: readonly string[]
  readonly besideWhole: readonly string[] | undefined

  constructor(form: StatementForm, values: readonly SqlValue[], marks: Marks = {}) {
    this.form = form
    this.values = values
    this.isSteady = marks.isSteady ?? false
    this.spans = marks.spans ?? NO_SPANS
    this.besideWhole = marks.besideWhole
  }

  get text(): string {
    return this.form.text
  }
}

const isForeign = (part: SqlValue | SqlText): part is SqlText =>
  part === undefined ||
  (typeof part === 'object' && part !== null && !Array.isArray(part) && !(part instanceof Uint8Array))

/** The form of a part, whose values are added to a list. `undefined` is refused: left out by mistake, it is not null. */
function takePart(part: SqlValue | SqlText, values: SqlValue[]): FormPart {
  if (part instanceof Statement) {
    for (const value of part.values) values.push(value)
    return part.form
  }
  if (isForeign(part)) throw new TypeError('A part of a statement was not made by the sql tag')
  values.push(part)
  return null
}

function formsOf(parts: readonly (SqlValue | SqlText)[], values: SqlValue[]): FormPart[] {
  const forms: FormPart[] = []
  for (const part of parts) forms.push(takePart(part, values))
  return forms
}

function tag(texts: TemplateStringsArray, ...parts: readonly (SqlValue | SqlText)[]): SqlText {
  const values: SqlValue[] = []
  return new Statement(formOfTag(texts, formsOf(parts, values)), values)
}

/** Parts one after the other, `separator` between them. */
function join(parts: readonly SqlText[], separator = ', '): SqlText {
  const values: SqlValue[] = []
  return new Statement(formOfJoin(separator, formsOf(parts, values)), values)
}

/** A name of a table, column or type: small letters, digits, `_` and `[]`. Never made of what a caller sent. */
function identifier(text: string): SqlText {
  if (!/^[a-z_][a-z0-9_]*(\[\])?$/.test(text)) throw new TypeError('A name in SQL has only small letters, digits and _')
  return raw(text)
}

/** A text from the sources, such as a migration. Never made of what a caller sent. */
const raw = (text: string): SqlText => new Statement(formOfText(text), [])

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
  const { form, values, isSteady, spans, besideWhole } = statement
  return new Statement(form, values, { isSteady, spans, besideWhole, ...marks })
}

/** The same statement with other values: a text that is used often is put together once. */
function refill(statement: SqlText, values: readonly SqlValue[]): SqlText {
  if (!(statement instanceof Statement)) throw new TypeError('A statement was not made by the sql tag')
  if (values.length !== statement.values.length) throw new TypeError('A statement takes as many values as it had')
  return new Statement(statement.form, values, statement)
}

/** What statements that are written alike have in common while it is kept; null for one that is not. */
const keptForm = (statement: SqlText): object | null =>
  statement instanceof Statement && statement.form.isKept ? statement.form : null

/** A short name of a statement's text, to find what was made of it. */
const nameOf = (statement: SqlText): string => (statement instanceof Statement ? statement.form.name : statement.text)

/**
 * `` sql`select lt from transactions where account = ${account} ${order}` ``: a value becomes a parameter, another
 * statement (here `order`) becomes part of the text.
 */
export const sql = Object.assign(tag, {
  join,
  identifier,
  raw,
  refill,
  steady,
  withSpans,
  wholeRows,
  nameOf,
  keptForm,
  empty: raw(''),
})
