import { ApiError } from '../../../shared/errors.ts'
import { nearestName, nearestPathOfV4, PATHS_OF_V4, v4Answer } from '../../methods/index.ts'
import { RPC_DOORS } from './rpcDoors.ts'
import { WATCH_PATHS } from './streamPaths.ts'

const V4 = '/api/v4'
const ALL_OF_V4 = [...PATHS_OF_V4, ...[...WATCH_PATHS.keys()].map((path) => path.slice(V4.length))]
/** For a caller that names none. */
const FIRST_OF_V4 = `${V4}/block/latest`

/** Names the path that was meant, where one of these, of v4 or of JSON-RPC is near, or ends so. */
export function noRoute(path: string, known: Iterable<string>): ApiError {
  // The first page is near to every short path.
  const others = [...known, ...RPC_DOORS.keys()].filter((one) => one !== '/')
  const nearest = nearestOfV4(path) ?? nearestName(path, others) ?? withStart(path.toLowerCase(), others)
  return new ApiError('routeNotFound', undefined, nearest === null ? {} : { nearest })
}

/** Of a path below `/api/v4`, or of one without that start. */
function nearestOfV4(path: string): string | null {
  const [, start = '', end = '/'] = /^(\/api\/v4|\/v4|)(\/.*)?$/.exec(path) ?? []
  if (start === '' && v4Answer('', end) === null) return null
  if (start !== '' && end === '/') return FIRST_OF_V4
  const nearest = nearestPathOfV4(end, ALL_OF_V4)
  return nearest === null ? null : V4 + nearest
}

/** The path of which a caller left out the start, as `/api/v2`. */
const withStart = (end: string, known: readonly string[]): string | null =>
  known.find((one) => one.toLowerCase().endsWith(end)) ?? null
