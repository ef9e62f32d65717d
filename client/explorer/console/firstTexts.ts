// What the fields of a call begin with.

import { isExampleWhole } from '../../../shared/explorer/formExamples.ts'
import { fieldTextOf } from './consoleForm.ts'
import type { DescribedMethod, Param } from './methods.ts'

export type FieldTexts = Readonly<Record<string, string>>
export type FieldValues = Readonly<Record<string, unknown>>

export const takesAccount = ({ name, schema }: Param): boolean =>
  /address/.test(`${schema.format ?? ''}${schema.items?.format ?? ''}`) || /^(?:address|account)$/.test(name)

export interface FirstValues {
  /** Values that this network has, by field. */
  readonly found: FieldValues
  /** An account of this network, for fields of addresses; undefined where none is known. */
  readonly account: string | undefined
  /** What a person typed into the field of another method. */
  readonly typed?: (param: Param) => string | undefined
}

/** Texts of the required fields, and of those that make the first call return something. */
export function firstTexts(
  { name: method, params, example }: DescribedMethod,
  { found, account, typed = () => undefined }: FirstValues,
): FieldTexts {
  const isNeeded = ({ name, required }: Param): boolean =>
    required || Boolean(found[name]) || (name in example && (name === 'limit' || isExampleWhole(method)))
  const textOf = (param: Param): string => {
    const own = found[param.name]
    if (own) return fieldTextOf(own)
    return takesAccount(param) && account !== undefined ? account : fieldTextOf(example[param.name])
  }
  return Object.fromEntries(
    params.filter(isNeeded).map((param): [string, string] => [param.name, typed(param) ?? textOf(param)]),
  )
}
