// Writes JSON in pieces, so that other callers are answered in between: a trace of thousands of transactions takes a second.

/** A value that is JSON already. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What `write` makes of each item, one a piece. */
export function* writingEach<T>(items: readonly T[], write: (item: T) => string): Generator<void, string[]> {
  const texts: string[] = []
  for (const item of items) {
    if (texts.length > 0) yield
    texts.push(write(item))
  }
  // To join them takes milliseconds where there are thousands.
  if (texts.length > 1) yield
  return texts
}

/** The same as a list. */
export function* writingList<T>(items: readonly T[], write: (item: T) => string): Generator<void, string> {
  return `[${(yield* writingEach(items, write)).join()}]`
}

/**
 * An object, some of whose members are written already; those that are undefined are left out. All is joined at once: a long text that
 * is added to would be copied once more when it is sent.
 */
export function textOfMembers(members: Readonly<Record<string, unknown>>): string {
  const parts = ['{']
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    parts.push(`${parts.length === 1 ? '' : ','}${JSON.stringify(name)}:`)
    parts.push(value instanceof JsonText ? value.text : JSON.stringify(value))
  }
  parts.push('}')
  return parts.join('')
}
