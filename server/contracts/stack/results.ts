// Results of get-methods as the values they should be. A contract may leave anything: what is of another kind is
// undefined.

import {
  Builder,
  type Cell,
  loadAddress,
  openCell,
  orNull,
  type StdAddress,
  stdAddress,
  storeAddress,
} from '../../cell/index.ts'
import type { StackValue } from './stackValue.ts'

export type Results = readonly StackValue[]

export function intAt(stack: Results, at: number): bigint | undefined {
  const value = stack[at]
  return value?.kind === 'int' ? value.value : undefined
}

export function cellAt(stack: Results, at: number): Cell | undefined {
  const value = stack[at]
  return value?.kind === 'cell' ? value.cell : undefined
}

/** The cell of a slice that is all there is of it. */
export function sliceAt(stack: Results, at: number): Cell | undefined {
  const value = stack[at]
  return value?.kind === 'slice' ? value.cell : undefined
}

/** An address of the usual form; null for none, which some contracts write as null. */
export function addressAt(stack: Results, at: number): StdAddress | null | undefined {
  const value = stack[at]
  if (value?.kind === 'null') return null
  if (value?.kind !== 'slice') return undefined
  const { cell } = value
  const read = orNull(() => ({ address: loadAddress(openCell(cell)) }))
  if (read === null) return undefined
  const { address } = read
  if (address === null) return null
  return address.kind === 'std' && address.anycast === null ? address : undefined
}

/** An address as an argument. */
export const addressValue = ({ workchain, hash }: Pick<StdAddress, 'workchain' | 'hash'>): StackValue => ({
  kind: 'slice',
  cell: storeAddress(new Builder(), stdAddress(workchain, hash)).end(),
})
