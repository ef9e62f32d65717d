import type { ApiError } from '../../../shared/errors.ts'
import { plain } from '../dialect/plain.ts'
import type { HttpExchange } from './exchange.ts'

/** The error reply of a path that is no method. */
export const refusePlainly = (exchange: HttpExchange, error: ApiError): Promise<void> =>
  exchange.refuse(plain, error, { ms: exchange.elapsed, verb: 'GET', id: null })
