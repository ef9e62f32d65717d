// What decoding may cost. Cells that are shared are read once for each place they are seen from, so a small bag can claim
// an answer of any size: whatever repeats is counted before it is read.

/** An answer that would be out of proportion to its request. */
export class TooMuch extends Error {}

/** A unit takes a third of a microsecond and makes a hundred characters, up to four times as many in bodies of addresses. */
export const COST = {
  /** A body of its own. */
  body: 4,
  /** A message with its addresses and amounts. */
  message: 8,
  /** An entry of a dictionary, with the way to it. */
  entry: 4,
  /** An element of a list. */
  element: 2,
  /** A cell of a text, or of a bag of cells. */
  cell: 1,
} as const

/** Characters that cost as much as a cell. */
const CHARACTERS = 64

/** A list of 255 messages, each with a payload and a comment in it, takes most of it. */
const MOST_OF_A_BODY = 6000

/** 255 messages that each deploy a contract. More than of a whole body, for the same length: bags are long for what they cost. */
const MOST_OF_AN_OUTLINE = 18_000

/** Nearly as much as the bodies that fill a request of a megabyte take when they share nothing. */
const MOST_OF_A_REQUEST = 100_000

export class DecodeBudget {
  #left: number
  readonly #whole: DecodeBudget | null

  private constructor(most: number, whole: DecodeBudget | null) {
    this.#left = most
    this.#whole = whole
  }

  /** For all bodies of a request together. */
  static ofRequest(): DecodeBudget {
    return new DecodeBudget(MOST_OF_A_REQUEST, null)
  }

  /** For one body, out of that of its request if there is one. */
  static ofBody(request: DecodeBudget | null): DecodeBudget {
    return new DecodeBudget(MOST_OF_A_BODY, request)
  }

  /** For one body whose inner bodies stay bags of cells. */
  static ofOutline(request: DecodeBudget | null): DecodeBudget {
    return new DecodeBudget(MOST_OF_AN_OUTLINE, request)
  }

  /** Throws TooMuch when that was more than there was. */
  spend(cost: number): void {
    this.#left -= cost
    this.#whole?.spend(cost)
    if (this.#left < 0) throw new TooMuch()
  }

  spendText(characters: number): void {
    this.spend(characters / CHARACTERS)
  }
}
