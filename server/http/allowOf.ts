import { ApiError } from '../../shared/errors.ts'

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
