import { ApiError } from '../../shared/errors.ts'
import { nearestName } from '../methods/index.ts'
import { RPC_DOORS } from './rpcDoors.ts'

/** Names the path that was meant, where one of these or of JSON-RPC is near. */
export function noRoute(path: string, known: Iterable<string>): ApiError {
  // The first page is near to every short path.
  const others = [...known, ...RPC_DOORS.keys()].filter((one) => one !== '/')
  const nearest = nearestName(path, others)
  return new ApiError('routeNotFound', undefined, nearest === null ? {} : { nearest })
}
