/** An invalid command line, environment or config file; the text says what and where. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A valid command that cannot be carried out; the text names the reason and the remedy. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
