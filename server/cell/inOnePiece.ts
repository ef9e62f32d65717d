/** Goes through `pieces` without a rest, for what is known to be short, or has the event loop to itself. */
export function inOnePiece<R>(pieces: Generator<void, R>): R {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}
