// Finished JSON, packed: runs of text that many transactions have in common become two characters, and so do values that occur
// twice. Packed text is text itself, which every driver hands over without a conversion. 3.7 kB of a usual transaction become
// 1.4 kB.
//
// JSON has no characters below the space, which are the codes here, each with a second character for a number below 94:
// - 1 to 26: a run;
// - 27: a hole, which the reader fills with a text of its own;
// - 28: one of the given values;
// - 29: a value that came before, counted from 0: the marks at the beginning, then what is between two codes;
// - 30: a bag of cells in base64, by its bytes, which are not in the text: two characters for their number;
// - 31: another value by its bytes: a hash in base64, 32 bytes in hex, or a number.
//
// Rows of every index refer to runs by their numbers: a run is never changed or moved. New ones are added at the end.

import { RUNS } from './generated/runs.ts'

export const SPACE = 32
export const NUMBERS = 94
export const FIRST_RUN = 1
export const HOLE = 27
export const GIVEN = 28
export const EARLIER = 29
export const BAG = 30
export const BYTES = 31

/** Shorter values are written again, unless they are given. */
export const LEAST_VALUE = 20

/** Of hashes in base64, but for the `=` at their end. */
export const MARK_LENGTH = 43
export const HASH_BYTES = 32

/** What follows `BYTES`: a hash, hex, or how many bytes a number has, on top of the last. */
export const KINDS_OF_BYTES = { hash: 0, hex: 1, number: 1 } as const

const MOST_RUNS = (HOLE - FIRST_RUN) * NUMBERS
export const runs = RUNS.slice(0, MOST_RUNS)
