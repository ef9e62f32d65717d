// Details of actions beside the shapes the documents and the client's types have for them.

import { expect } from 'vitest'
import { actionDetails } from '../../../shared/v3/actionDetails/index.ts'

interface Emitted {
  readonly type: string
  readonly details: Readonly<Record<string, unknown>>
}

const shapeOf = (type: string) =>
  Object.hasOwn(actionDetails, type) ? actionDetails[type as keyof typeof actionDetails] : undefined

/** Fails for a type without a shape, a value that does not fit, and a key the shape lacks: parsing leaves that out. */
export function expectShapes(actions: readonly Emitted[]): void {
  for (const { type, details } of actions) {
    const shape = shapeOf(type)
    expect(shape, `${type} has no shape`).toBeDefined()
    const parsed = shape?.safeParse(details)
    expect(parsed?.error?.issues ?? [], `${type} ${JSON.stringify(details)}`).toEqual([])
    expect(parsed?.data, type).toEqual(details)
  }
}
