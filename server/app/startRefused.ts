/** A start that would do harm or no good; the text says why and what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
