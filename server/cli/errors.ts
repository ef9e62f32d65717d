/** The words of a command line, the environment or the config file do not fit; the text says what and where. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command that was understood and cannot be carried out; the text says why and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
