import { ApiError } from '../../../shared/errors.ts'
import { nearestName } from '../../methods/index.ts'
import { RPC_DOORS } from './rpcDoors.ts'

/** Names the path that was meant, where one of these or of JSON-RPC is near, or ends so. */
export function noRoute(path: string, known: Iterable<string>): ApiError {
  // The first page is near to every short path.
  const others = [...known, ...RPC_DOORS.keys()].filter((one) => one !== '/')
  const nearest = nearestName(path, others) ?? withStart(path.toLowerCase(), others)
  return new ApiError('routeNotFound', undefined, nearest === null ? {} : { nearest })
}

/** The path of which a caller left out the start, as `/api/v2`. */
const withStart = (end: string, known: readonly string[]): string | null =>
  known.find((one) => one.toLowerCase().endsWith(end)) ?? null
