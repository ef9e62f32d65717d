import type { CallOutcome } from '../../methods/index.ts'

/** Calls of one request that are over, by method. */
export class NotedCalls {
  readonly methods = new Map<string, number>()
  error: string | null = null

  add(method: string, { outcome }: CallOutcome): void {
    this.methods.set(method, (this.methods.get(method) ?? 0) + 1)
    if (outcome !== 'ok') this.error = outcome
  }
}
