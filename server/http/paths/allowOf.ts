import { ApiError } from '../../../shared/errors.ts'
import type { Registry } from '../../../shared/registry.ts'
import { RPC_DOORS } from './rpcDoors.ts'

/** A verb its path does not serve. The reply names those it does in an Allow header. */
export class VerbRefusal extends ApiError {
  readonly allow: string

  constructor(verb: string | undefined, served: readonly string[], hint = '') {
    super('verbNotAllowed', `method ${(verb ?? '').slice(0, 16)} is not supported: use ${served.join(', ')}${hint}`)
    this.allow = allowOf(served)
  }
}

/** The verbs of a path, those that every path has among them. */
export function allowOf(served: readonly string[]): string {
  const head = served.includes('GET') && !served.includes('HEAD') ? ['HEAD'] : []
  return [...served, ...head, 'OPTIONS'].join(', ')
}

/** Verbs by path: both JSON-RPC paths and all of the REST mirror. */
export function verbsOfMethods(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const verbsOf = new Map<string, string[]>([...RPC_DOORS.keys()].map((path) => [path, ['POST']]))
  for (const { rest } of Object.values(registry))
    for (const { path, verb } of rest) verbsOf.set(path, [...(verbsOf.get(path) ?? []), verb])
  return verbsOf
}
