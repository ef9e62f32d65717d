// REST and the envelope of v2 ignore parameters with unknown names. When a required parameter is missing, the error names an
// unknown one that looks like it.

import { ApiError } from '../../../shared/errors.ts'
import { nearestName } from '../../methods/index.ts'
import { BRACKETS, type ParamPlan } from './callParams.ts'

/** Unknown names that are compared: a body may have thousands. */
const MOST_NAMES = 16

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
