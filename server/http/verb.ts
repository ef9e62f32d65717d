import { ApiError } from '../../shared/errors.ts'

/** A verb its path does not serve. The reply names those it does in an Allow header. */
export class VerbRefusal extends ApiError {
  readonly allow: string

  constructor(verb: string | undefined, served: readonly string[]) {
    super('verbNotAllowed', `method ${(verb ?? '').slice(0, 16)} is not supported: use ${served.join(', ')}`)
    const head = served.includes('GET') && !served.includes('HEAD') ? ['HEAD'] : []
    this.allow = [...served, ...head, 'OPTIONS'].join(', ')
  }
}
