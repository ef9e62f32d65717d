/** Writes a line for the operator, and what it is about. */
export type Warn = (line: string, facts: Readonly<Record<string, unknown>>) => void
