// What a run answers with.

import { type FinishedText, sizeOfText, Written } from './written.ts'

export interface RunAnswer {
  /** The result as JSON text. */
  readonly json: string
  /** The same as it was made; absent where that is `json`. */
  readonly text?: FinishedText
  /** True when nothing was computed for this call. */
  readonly isCached: boolean
}

/** Of bytes, `json` is made when it is first read. */
class MadeAnswer implements RunAnswer {
  readonly isCached: boolean
  readonly #written: Written<unknown>

  constructor(written: Written<unknown>, isCached: boolean) {
    this.#written = written
    this.isCached = isCached
  }

  get json(): string {
    return this.#written.json
  }

  get text(): FinishedText {
    return this.#written.text
  }
}

export const answerWith = (text: FinishedText, isCached: boolean): RunAnswer =>
  typeof text === 'string' ? { json: text, isCached } : new MadeAnswer(new Written(text), isCached)

export const textOf = (answer: RunAnswer): FinishedText => answer.text ?? answer.json

/** Characters of a string, or bytes. */
export const lengthOfText = (text: FinishedText): number => (typeof text === 'string' ? text.length : sizeOfText(text))
