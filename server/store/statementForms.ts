// Texts of statements, each made once. A read is written anew for each call, of the same pieces in the same order unless its filters
// are others: it is then found step by step, without joining its text of some thousand characters again.

/** Longer texts are made each time: those of a long list of values, of which there is one for each length. */
const MOST_CHARACTERS = 24 * 1024
/** Of all that are kept; then they are made again. */
const MOST_KEPT_CHARACTERS = 8 * 1024 * 1024
const MOST_STEPS = 50_000

let count = 0

/** The text of a statement, in pieces with a value between each two; `$1`, `$2` are numbered when the whole is known. */
export class StatementForm {
  readonly pieces: readonly string[]
  /** One and the same for all statements that are written alike, until they are made again. */
  readonly isKept: boolean
  #text: string | undefined
  #name: string | undefined

  constructor(pieces: readonly string[], isKept = false) {
    this.pieces = pieces
    this.isKept = isKept
  }

  get text(): string {
    this.#text ??= this.pieces.reduce((text, piece, i) => `${text}$${i}${piece}`)
    return this.#text
  }

  /** Short, and no other form has it; of one that is not kept the text. */
  get name(): string {
    this.#name ??= this.isKept ? `#${count++}` : this.text
    return this.#name
  }
}

/** A value, or the form of another statement. */
export type FormPart = StatementForm | null

/** Where some parts have led to. */
class Step {
  form: StatementForm | null = null
  #afterValue: Step | null = null
  readonly #afterForms = new Map<StatementForm, Step>()

  /** Null where the part is made each time. */
  next(part: FormPart): Step | null {
    if (part === null) {
      this.#afterValue ??= new Step()
      return this.#afterValue
    }
    if (!part.isKept) return null
    const known = this.#afterForms.get(part)
    if (known !== undefined) return known
    const step = new Step()
    steps++
    this.#afterForms.set(part, step)
    return step
  }
}

let steps = 0
let characters = 0
/** By the texts of a tag, which are one object for each place in the sources. */
let tags = new WeakMap<readonly string[], Step>()
/** By separator. */
const joins = new Map<string, Step>()
const raws = new Map<string, StatementForm>()

function forgetAll(): void {
  steps = 0
  characters = 0
  tags = new WeakMap()
  joins.clear()
  raws.clear()
}

/** `textAt` is what stands before a part, and behind the last one. */
function piecesOf(parts: readonly FormPart[], textAt: (i: number) => string): string[] {
  const pieces: string[] = []
  let last = textAt(0)
  parts.forEach((part, i) => {
    const [first = '', ...others] = part === null ? ['', ''] : part.pieces
    last += first
    for (const piece of others) {
      pieces.push(last)
      last = piece
    }
    last += textAt(i + 1)
  })
  return [...pieces, last]
}

function kept(pieces: readonly string[]): StatementForm {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length > MOST_CHARACTERS) return new StatementForm(pieces)
  characters += length
  if (characters > MOST_KEPT_CHARACTERS || steps > MOST_STEPS) forgetAll()
  return new StatementForm(pieces, true)
}

function formAt(begin: Step, parts: readonly FormPart[], textAt: (i: number) => string): StatementForm {
  let step: Step | null = begin
  for (const part of parts) step = step?.next(part) ?? null
  if (step === null) return new StatementForm(piecesOf(parts, textAt))
  if (step.form !== null) return step.form
  const form = kept(piecesOf(parts, textAt))
  if (form.isKept) step.form = form
  return form
}

interface Begins<K> {
  get(name: K): Step | undefined
  set(name: K, begin: Step): unknown
}

/** Kept before anything is made from there: what is forgotten then must not come back with it. */
function beginAt<K>(all: Begins<K>, name: K): Step {
  const known = all.get(name)
  if (known !== undefined) return known
  const begin = new Step()
  all.set(name, begin)
  return begin
}

export function formOfTag(texts: readonly string[], parts: readonly FormPart[]): StatementForm {
  const begin = beginAt(tags, texts)
  return formAt(begin, parts, (i) => texts[i] ?? '')
}

export function formOfJoin(separator: string, parts: readonly FormPart[]): StatementForm {
  const begin = beginAt(joins, separator)
  return formAt(begin, parts, (i) => (i === 0 || i === parts.length ? '' : separator))
}

export function formOfText(text: string): StatementForm {
  const known = raws.get(text)
  if (known !== undefined) return known
  const form = kept([text])
  if (form.isKept) raws.set(text, form)
  return form
}
