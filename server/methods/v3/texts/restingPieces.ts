/** Work in pieces, between which `textInSlices` may rest; `isLong` is whether a piece takes long. */
export function* restingPieces<T>(pieces: Generator<void, T>, isLong: boolean): Generator<boolean, T> {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
    yield isLong
  }
}
