// What a method of code that is known leaves on the stack, worked out from the data without running it.

import { beginCell, type Cell, loadAddress, openCell, type Slice, type StdAddress } from '../../cell/index.ts'
import { addressValue } from '../stack/results.ts'
import type { StackValue } from '../stack/stackValue.ts'

/** What an answer depends on, and nothing else. */
export interface KnownContract {
  readonly workchain: number
  readonly hash: Uint8Array
  readonly code: Cell
  readonly data: Cell
}

/** The code has no such method; unknown while the table of methods is in a library. */
export const NO_METHOD = 'no method'

/** Null, or a CellError, where only the TVM can produce the result. */
export type KnownMethod = (
  contract: KnownContract,
  args: readonly StackValue[],
) => readonly StackValue[] | typeof NO_METHOD | null

/** The methods of one code by their names. */
export type KnownMethods = Readonly<Record<string, KnownMethod>>

const NO_ADDRESS: StackValue = { kind: 'slice', cell: beginCell().storeUint(0, 2).end() }

/** As these contracts say it: an absent one is a slice too. */
export const maybeAddress = (address: StdAddress | null): StackValue =>
  address === null ? NO_ADDRESS : addressValue(address)

/** The TVM's true is all ones. */
export const boolValue = (value: boolean): StackValue => ({ kind: 'int', value: value ? -1n : 0n })

export const cellValue = (cell: Cell): StackValue => ({ kind: 'cell', cell })

/** An address of the usual form, or none; undefined for any other, which each code treats in its own way. */
export function readStdAddress(slice: Slice): StdAddress | null | undefined {
  const address = loadAddress(slice)
  if (address === null) return null
  return address.kind === 'std' && address.anycast === null ? address : undefined
}

/** The one argument, when it is an address of the usual form and nothing behind it. */
export function addressArgument(args: readonly StackValue[]): StdAddress | null {
  const [value] = args
  if (args.length !== 1 || value?.kind !== 'slice') return null
  const slice = openCell(value.cell)
  const address = readStdAddress(slice)
  slice.finish()
  return address ?? null
}

/** The address in the basechain of a contract that begins so. */
export const addressOfInit = (code: Cell, data: Cell): StackValue =>
  addressValue({
    workchain: 0,
    hash: beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).end().hashBytes(),
  })
