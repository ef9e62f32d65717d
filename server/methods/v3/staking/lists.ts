// What handlers of staking lists share: checks of their params, and what is next to their rows.

import { ApiError } from '../../../../shared/errors.ts'
import { type AccountKey, readAll, stakingSinceRead, type TimeWindow } from '../../../store/index.ts'
import type { PageParts } from '../names/namedRows.ts'
import { addressBookFor } from '../names/sideObjects.ts'

interface Window {
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
}

/** Throws ApiError for a window that ends before it starts. */
export function windowFrom({ start_utime: start, end_utime: end }: Window): TimeWindow {
  if (start !== undefined && end !== undefined && start > end)
    throw new ApiError('invalidParams', 'start_utime must be less than or equal to end_utime', {
      param: 'start_utime',
    })
  return { start, end }
}

/** The window as the reply repeats it. */
export const windowEcho = ({ start_utime, end_utime }: Window) => ({
  ...(start_utime === undefined ? {} : { start_utime }),
  ...(end_utime === undefined ? {} : { end_utime }),
})

interface Validator {
  readonly stake_holder_address?: Uint8Array | undefined
  readonly adnl_address?: Uint8Array | undefined
  readonly validator_pubkey?: Uint8Array | undefined
}

/** Throws ApiError for filters that exclude each other. */
export function validatorFrom({ stake_holder_address: holder, adnl_address: adnl, validator_pubkey }: Validator) {
  if (holder !== undefined && adnl !== undefined)
    throw new ApiError('invalidParams', 'provide either stake_holder_address or adnl_address, not both', {
      param: 'adnl_address',
    })
  return { holder, adnl, publicKey: validator_pubkey }
}

/** Rows that have a whole set embedded. */
const MOST_SETS = 100

/** Throws ApiError for more sets than one reply can have. */
export function checkEmbedded(limit: number, param: string, isEmbedded: boolean): void {
  if (isEmbedded && limit > MOST_SETS)
    throw new ApiError('invalidParams', `limit must not exceed ${MOST_SETS} when ${param} is true`, {
      param: 'limit',
      limit: MOST_SETS,
    })
}

/** What follows the rows of a list: since when staking is indexed, which is null before the first block, and the accounts. */
export async function listEnd({ store, side, call }: PageParts, named: readonly AccountKey[], cursor: string | null) {
  const [[since], book] = await Promise.all([
    readAll(store, stakingSinceRead(), call),
    addressBookFor(side, named, call),
  ])
  return { known_since: since ?? null, ...book, cursor }
}

export const given = <T>(...values: readonly (T | undefined)[]): T[] => values.filter((value) => value !== undefined)
