// When V8 compiles for speed what is called all the time.

import { setFlagsFromString } from 'node:v8'

/**
 * Bytes of code that a function runs through between two looks at whether it is worth it, of which it takes some. Node 20 has 67,584
 * and nothing between its first compiler and its last: a read of the index was called thousands of times before all of it was
 * compiled, in each process anew, and took up to twice the processor time until then.
 */
const BUDGET = 16_000

/**
 * For a process that has started: what only a start calls often would be compiled as well, which takes a third of a second. Nothing is
 * altered where V8 has a compiler between the two.
 */
export function compileSoon(): void {
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString(`--interrupt-budget=${BUDGET}`)
}
