// When WebAssembly is compiled a second time, for speed.

import { setFlagsFromString } from 'node:v8'

/**
 * Bytes of code a function runs through before it is: the most V8 takes. Node 20 has 1.8 million, which a large function with a
 * small part to do reaches after some calls: seconds of work and a hundred megabytes for functions that are then hardly
 * called. With 500 million a start still spent a tenth of its processor time on two of them. What is called all the time gets
 * there within a second all the same.
 */
const BUDGET = 2 ** 31 - 1

/** Holds for code that is compiled from then on. */
export function optimizeLate(): void {
  setFlagsFromString(`--wasm-tiering-budget=${BUDGET}`)
}
