// What the parts of the benchmark of turns are given, and how they call the service.

/** Sends one request under a name, and resolves with the text of its reply. */
export type Step = (name: string, path: string, init?: RequestInit) => Promise<string>

export interface Asking {
  readonly url: string
  readonly step: Step
  /** Names what the turns from now on are spent on. */
  readonly begin: (name: string) => void
  /** Params that have a result, by method. */
  readonly examples: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

export const post = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})

export const call = (method: string, params: unknown): RequestInit =>
  post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))

/** Runs all parts one after another, or those that are named, with commas. */
export async function runParts(
  parts: Readonly<Record<string, (asking: Asking) => Promise<void>>>,
  asking: Asking,
  named: string | undefined,
): Promise<void> {
  const wanted = named?.split(',')
  for (const [name, run] of Object.entries(parts)) if (wanted?.includes(name) ?? true) await run(asking)
}
