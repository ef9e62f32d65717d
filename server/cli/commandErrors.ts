/** An invalid command line, environment or config file; the text says what and where. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A valid command that cannot be carried out; the text names the reason and the remedy. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export const noService = (url: string, cause: unknown): CommandError =>
  new CommandError(`no service answers at ${url}: start it with tonrpc, or name another with --url`, { cause })

export const otherProgram = (url: string): CommandError =>
  new CommandError(`what answers at ${url} is no tonrpc: name one with --url`)
