// What all refusals of the command line have in common.

/** Values from one source, by the names of the flags. */
export interface Layer {
  /** For a refusal: ` in config file x`; empty for flags, which a person has just typed. */
  readonly where: string
  readonly values: Readonly<Record<string, unknown>>
  /** What the environment calls a setting, where that is not its own name there. */
  readonly envNames?: Readonly<Record<string, string>>
}

export const LISTED = '--help lists them all'

/** What is typed may be of any length. */
export const SHOWN = 60

export const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text
}
