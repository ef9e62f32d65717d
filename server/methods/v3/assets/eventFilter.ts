// Filters of event lists for the store.

import type { AccountKey } from '../../../store/index.ts'

interface Owners {
  readonly owner_address?: readonly AccountKey[] | undefined
  /** An older name, null when it could not be read. */
  readonly address?: AccountKey | null | undefined
}

export const ownersOf = ({ owner_address, address }: Owners): readonly AccountKey[] | undefined =>
  owner_address ?? (address ? [address] : undefined)

interface Times {
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
  readonly start_lt?: bigint | undefined
  readonly end_lt?: bigint | undefined
}

export const timesOf = (params: Times) => ({
  startUtime: params.start_utime,
  endUtime: params.end_utime,
  startLt: params.start_lt,
  endLt: params.end_lt,
})
