import { CellError } from '../../cell/index.ts'

/** A malformed block or state, forged or damaged: it is never indexed. */
export class ParseError extends Error {
  /** The part that could not be read: `header`, `transaction 0:ab..,7`, `account 0:ab..`, ... */
  readonly where: string

  constructor(where: string, text: string, options?: ErrorOptions) {
    super(`${where}: ${text}`, options)
    this.name = 'ParseError'
    this.where = where
  }
}

/** Throws ParseError unless it is so. A name that takes work is computed only then. */
export function demandParsed(isSo: boolean, where: string | (() => string), text: string): asserts isSo {
  if (!isSo) throw new ParseError(typeof where === 'string' ? where : where(), text)
}

/** Reads a part; errors of its cells carry its name, which is computed only then. */
export function reading<T>(where: () => string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof CellError) throw new ParseError(where(), error.message, { cause: error })
    throw error
  }
}

/** The same in pieces. */
export function* readingPieces<T>(where: () => string, pieces: Generator<void, T>): Generator<void, T> {
  try {
    return yield* pieces
  } catch (error) {
    if (error instanceof CellError) throw new ParseError(where(), error.message, { cause: error })
    throw error
  }
}
