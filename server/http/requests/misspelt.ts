// REST and the envelope of v2 ignore parameters with unknown names. When a required parameter is missing, the error names an
// unknown one that looks like it; an answer to one that was understood without them lists them in a header.

import { ApiError } from '../../../shared/errors.ts'
import { namesLike, nearestName } from '../../methods/index.ts'
import { BRACKETS, type ParamPlan } from './callParams.ts'

/** Unknown names that are compared: a body may have thousands. */
const MOST_NAMES = 16
/** Of these, how many are compared with all known names, which takes much longer. */
const MOST_COMPARED = 3
/** Names that are looked at: a body may have a hundred thousand. */
const MOST_SEEN = 256
/** Of a query: characters in which names are looked for. */
const MOST_QUERY = 4096

/** The unknown name that is most like this parameter; null when the parameter itself was sent. */
function misspeltAs(param: string, plan: ParamPlan, names: Iterable<string>): string | null {
  const unknown: string[] = []
  for (const name of names) {
    if (name === param || name === param + BRACKETS) return null
    if (!plan.has(name) && unknown.length < MOST_NAMES) unknown.push(name)
  }
  return nearestName(param, unknown)
}

/** The error with the misspelt name added, if it is about a missing parameter; otherwise unchanged. */
export function namingMisspelt(error: ApiError, plan: ParamPlan, names: () => Iterable<string>): ApiError {
  const { kind, message, data } = error
  if ((kind !== 'invalidParams' && kind !== 'missing') || data.param === undefined) return error
  const sent = misspeltAs(data.param, plan, names())
  return sent === null ? error : new ApiError(kind, `${message}: "${sent}" may be a misspelling of it`, data)
}

const IGNORED_HEADER = 'X-Ignored-Parameters'

/** Of a query, without decoding: what has escapes in it is no slip of typing. */
export function* namesOfQuery(query: string): Generator<string> {
  for (const part of query.slice(0, MOST_QUERY).split('&')) {
    const end = part.indexOf('=')
    yield end < 0 ? part : part.slice(0, end)
  }
}

/** The header that lists the unknown names of a call, with the known ones each may stand for; empty when there are none. */
export function ignoredHeader(
  plan: ParamPlan,
  names: Iterable<string>,
  readElsewhere: ReadonlySet<string>,
): readonly string[] {
  const ignored = new Set<string>()
  let seen = 0
  for (const sent of names) {
    if (++seen > MOST_SEEN) break
    const name = sent.endsWith(BRACKETS) ? sent.slice(0, -BRACKETS.length) : sent
    if (plan.has(name) || readElsewhere.has(name) || !/^\w{1,40}$/.test(name)) continue
    ignored.add(name)
    if (ignored.size === MOST_NAMES) break
  }
  if (ignored.size === 0) return []
  const listed = [...ignored].map((name, i) => {
    const near = i < MOST_COMPARED ? namesLike(name, [...plan.keys()]) : []
    return near.length === 0 ? name : `${name} (${near.join(' or ')}?)`
  })
  return [IGNORED_HEADER, listed.join(', ')]
}
