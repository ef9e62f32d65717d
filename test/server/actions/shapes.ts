// Details of actions compared with the shapes the documents and the client's types have for them.

import { expect } from 'vitest'
import { ACTION_RULES } from '../../../server/actions/rules/index.ts'
import { actionDetails } from '../../../shared/v3/actionDetails/index.ts'

interface Emitted {
  readonly type: string
  readonly details: Readonly<Record<string, unknown>>
}

const shapeOf = (type: string) =>
  Object.hasOwn(actionDetails, type) ? actionDetails[type as keyof typeof actionDetails] : undefined

/** Those that only their rules list: clients take their details as they come, until a shape describes them. */
const isOfRuleAlone = (type: string): boolean => ACTION_RULES.some(({ types = [] }) => types.includes(type))

/** Fails for a type without a shape, a value that does not fit, and a key the shape lacks: parsing leaves that out. */
export function expectShapes(actions: readonly Emitted[]): void {
  for (const { type, details } of actions) {
    const shape = shapeOf(type)
    if (shape === undefined && isOfRuleAlone(type)) continue
    expect(shape, `${type} has no shape`).toBeDefined()
    const parsed = shape?.safeParse(details)
    expect(parsed?.error?.issues ?? [], `${type} ${JSON.stringify(details)}`).toEqual([])
    expect(parsed?.data, type).toEqual(details)
  }
}
