import { beginCell } from '../../cell/index.ts'
import { intValue, type StackValue } from '../stack/stackValue.ts'

/** All categories. */
export const ALL_CATEGORIES = 0n

/** Arguments of `dnsresolve`: a name in the form resolvers take, and a category by its number. */
export const resolveArguments = (name: Uint8Array, category: bigint): readonly StackValue[] => [
  { kind: 'slice', cell: beginCell().storeBytes(name).end() },
  intValue(category),
]

/** All records of a resolver itself. */
export const SELF_ARGUMENTS = resolveArguments(new Uint8Array(1), ALL_CATEGORIES)
