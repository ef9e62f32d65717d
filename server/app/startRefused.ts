/** A start that cannot succeed or would do harm; the text names the reason and the remedy. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
