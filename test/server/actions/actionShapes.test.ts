import { describe, expect, test } from 'vitest'
import { supportedTypes } from '../../../server/actions/supportedTypes.ts'
import { registry } from '../../../shared/registry.ts'
import { Action } from '../../../shared/v3/action.ts'
import { actionDetails } from '../../../shared/v3/actionDetails/index.ts'

const example = registry['v3.actions'].example.result.actions[0]

describe('the schema of an action', () => {
  test('every type of a version or a family has details', () => {
    const missing = [...supportedTypes(['latest', 'tgbtc'], [])].filter((type) => !Object.hasOwn(actionDetails, type))
    expect(missing).toEqual([])
  })

  test('keeps the details of a type it knows', () => {
    expect(Action.parse(example)).toEqual(example)
  })

  test('accepts a type it does not know, with any details', () => {
    const action = { ...example, type: 'invented_tomorrow', details: { anything: [1] } }
    expect(Action.parse(action)).toEqual(action)
  })

  test.each([
    ['a known type without its details', { details: {} }],
    ['a known type with a wrong amount', { details: { ...example?.details, value: 5 } }],
    ['no type', { type: undefined }],
  ])('error: %s', (_, change) => {
    expect(Action.safeParse({ ...example, ...change }).success).toBe(false)
  })
})
