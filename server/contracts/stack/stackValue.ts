// Values on the TVM's stack, as far as callers can be shown them.

import type { Cell } from '../../cell/index.ts'

export type StackValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'int'; readonly value: bigint }
  /** A slice is the cell that holds just what is left of it. */
  | { readonly kind: 'cell' | 'slice' | 'builder'; readonly cell: Cell }
  | { readonly kind: 'tuple'; readonly items: readonly StackValue[] }
  /** NaN and continuations: they can be passed on the stack, but not written down. */
  | { readonly kind: 'unsupported' }

export const NULL: StackValue = { kind: 'null' }
export const intValue = (value: bigint): StackValue => ({ kind: 'int', value })
export const tupleValue = (items: readonly StackValue[]): StackValue => ({ kind: 'tuple', items })

/** A list the way contracts keep it: pairs of an item and the rest, null at the end. */
export const listValue = (items: readonly StackValue[]): StackValue =>
  items.reduceRight((rest, item) => tupleValue([item, rest]), NULL)

/** The items of a list; null for any other value. */
export function listItems(value: StackValue): StackValue[] | null {
  const items: StackValue[] = []
  let rest: StackValue | undefined = value
  while (rest?.kind === 'tuple' && rest.items.length === 2) {
    const [item]: readonly StackValue[] = rest.items
    if (item) items.push(item)
    rest = rest.items[1]
  }
  return rest?.kind === 'null' ? items : null
}
