// REST ignores names it does not know, so the refusal of a parameter that is missing says which of them it may have been.

import { ApiError } from '../../shared/errors.ts'
import { nearestName } from '../methods/index.ts'
import { BRACKETS, type ParamPlan } from './callParams.ts'

/** Unknown names that are compared: a body may have thousands. */
const MOST_NAMES = 16

/** The unknown name nearest to a parameter; null when it was given itself. */
function misspeltAs(param: string, plan: ParamPlan, names: Iterable<string>): string | null {
  const unknown: string[] = []
  for (const name of names) {
    if (name === param || name === param + BRACKETS) return null
    if (!plan.has(name) && unknown.length < MOST_NAMES) unknown.push(name)
  }
  return nearestName(param, unknown)
}

/** The refusal of a missing parameter with the name that was sent in its place; any other failure as it is. */
export function namingMisspelt(error: ApiError, plan: ParamPlan, names: () => Iterable<string>): ApiError {
  const { kind, message, data } = error
  if (kind !== 'invalidParams' || data.param === undefined) return error
  const sent = misspeltAs(data.param, plan, names())
  return sent === null ? error : new ApiError(kind, `${message}: "${sent}" may be a misspelling of it`, data)
}
