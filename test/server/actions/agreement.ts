// How far the rules agree with a reference on one trace.

import { type ClassifiedAction, classifyTrace } from '../../../server/actions/index.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'
import { columnsOf, unlike } from './expectations.ts'
import type { Expected } from './traceFixtures.ts'

export interface Agreement {
  readonly actions: readonly ClassifiedAction[]
  /** As `expectations.ts` names them; none for a trace that agrees as a whole. */
  readonly differences: readonly string[]
  readonly expected: number
  /** Expected actions that are there with every column. */
  readonly agreeing: number
  readonly fields: number
  readonly agreeingFields: number
}

export function agreementOn({ trace, facts }: KnownTrace, reference: readonly Expected[]): Agreement {
  const { actions, failure } = classifyTrace(trace, facts)
  const { differences, unequal, unequalFields } = unlike(actions, reference)
  const fields = reference.reduce((sum, one) => sum + columnsOf(one), 0)
  return {
    actions,
    differences: [...(failure === null ? [] : [`failure: ${String(failure)}`]), ...differences],
    expected: reference.length,
    agreeing: Math.max(0, reference.length - unequal),
    fields,
    agreeingFields: Math.max(0, fields - unequalFields),
  }
}
