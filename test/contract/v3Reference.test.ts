// v3 beside its public OpenAPI document, where that is at hand: nothing that is asked for or answered there is missing.

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { MethodSpec } from '../../shared/registry.ts'
import { Block } from '../../shared/v3/blocks.ts'
import { TransactionDescr } from '../../shared/v3/description.ts'
import { AccountState, Message, MessageContent, Transaction } from '../../shared/v3/transaction.ts'
import { BlockId } from '../../shared/v3/values.ts'
import { v3Chain } from '../setup/v3Chain.ts'

const file = new URL('../../../shared/contract/openapi/v3.yaml', import.meta.url)
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : null

/** The lines below one that is no deeper than `depth` spaces, up to the next such line. */
function below(depth: number, title: string): string[] {
  const all = lines ?? []
  const start = all.indexOf(`${' '.repeat(depth)}${title}:`)
  const end = all.findIndex((line, i) => i > start && /\S/.test(line.slice(0, depth + 1)))
  return start < 0 ? [] : all.slice(start + 1, end < 0 ? undefined : end)
}

interface Parameter {
  readonly name: string
  readonly list: boolean
  readonly maximum: number | undefined
  readonly byDefault: number | undefined
}

function parametersOf(path: string): Parameter[] {
  const parts = below(2, path)
    .join('\n')
    .split(/\n {6}- name: /)
    .slice(1)
  return parts.map((part) => {
    const number = (word: string) => {
      const found = new RegExp(`\\n {10}${word}: (\\d+)(?:\\n|$)`).exec(part)?.[1]
      return found === undefined ? undefined : Number(found)
    }
    const name = part.slice(0, part.indexOf('\n'))
    return {
      name,
      list: part.includes('\n          type: array\n'),
      maximum: number('maximum'),
      byDefault: number('default'),
    }
  })
}

const fieldsOf = (schema: string): string[] => below(4, schema).flatMap((line) => /^ {8}(\w+):/.exec(line)?.[1] ?? [])

/** Documented, and never sent by anybody. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  AccountState: ['data_boc', 'code_boc'],
}

describe.skipIf(lines === null)('the public document', () => {
  test.each(Object.entries(v3Chain) as [string, MethodSpec][])('%s takes what is documented', (_, spec) => {
    const path = spec.rest[0]?.path ?? ''
    const documented = parametersOf(path)
    const ours = z.toJSONSchema(spec.params, { io: 'input', unrepresentable: 'any' }).properties ?? {}
    expect(below(2, path).length).toBeGreaterThan(0)
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(documented.map(({ name }) => name)))
    for (const { name, list, maximum, byDefault } of documented) {
      if (list) expect([name, ours[name]]).toMatchObject([name, { type: 'array' }])
      if (name === 'limit') expect(ours[name]).toMatchObject({ maximum, default: byDefault })
    }
  })

  test.each([
    ['Block', Block],
    ['BlockId', BlockId],
    ['AccountState', AccountState],
    ['Message', Message],
    ['MessageContent', MessageContent],
    ['Transaction', Transaction],
    ['TransactionDescr', TransactionDescr],
  ])('%s has every field that is documented', (name, schema) => {
    const never = NEVER[name] ?? []
    const documented = fieldsOf(name).filter((field) => !never.includes(field))
    expect(documented.length).toBeGreaterThan(2)
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(documented))
  })
})
