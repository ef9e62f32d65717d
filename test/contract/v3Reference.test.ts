// v3 compared with what its public OpenAPI document names: no parameter and no field that is documented is missing.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { MethodSpec } from '../../shared/registry.ts'
import { Block } from '../../shared/v3/blocks.ts'
import { TransactionDescr } from '../../shared/v3/description.ts'
import { Message, MessageContent, StateAtTransaction, Transaction } from '../../shared/v3/transaction.ts'
import { BlockId } from '../../shared/v3/values.ts'
import { v3Chain } from '../setup/v3Chain.ts'

interface Parameter {
  readonly list?: true
  readonly maximum?: number
  readonly default?: number
}

interface Reference {
  /** By path, then by name. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Parameter>>>>
  /** Of each schema. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

const file = new URL('../fixtures/openapi/v3.json', import.meta.url)
const reference: Reference = JSON.parse(readFileSync(file, 'utf8'))

/** Documented, and never sent by anybody. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  AccountState: ['data_boc', 'code_boc'],
}

describe('the public document', () => {
  test.each(Object.entries(v3Chain) as [string, MethodSpec][])('%s takes what is documented', (_, spec) => {
    const parameters = reference.parameters[spec.rest[0]?.path ?? '']
    expect(parameters).toBeDefined()
    const documented = Object.entries(parameters ?? {})
    const ours = z.toJSONSchema(spec.params, { io: 'input', unrepresentable: 'any' }).properties ?? {}
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(documented.map(([name]) => name)))
    for (const [name, { list, maximum, default: byDefault }] of documented) {
      if (list) expect([name, ours[name]]).toMatchObject([name, { type: 'array' }])
      if (name === 'limit') expect(ours[name]).toMatchObject({ maximum, default: byDefault })
    }
  })

  test.each([
    ['Block', Block],
    ['BlockId', BlockId],
    ['AccountState', StateAtTransaction],
    ['Message', Message],
    ['MessageContent', MessageContent],
    ['Transaction', Transaction],
    ['TransactionDescr', TransactionDescr],
  ])('%s has every field that is documented', (name, schema) => {
    const never = NEVER[name] ?? []
    const documented = (reference.fields[name] ?? []).filter((field) => !never.includes(field))
    expect(documented.length).toBeGreaterThan(2)
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(documented))
  })
})
