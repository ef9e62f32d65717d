// Messages between a stake wallet of JVault and its pool, and what follows: updated rewards, also those of the account
// that invited the staker.

import { openCell, type Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts } from '../../input.ts'
import { cellOf } from '../../node.ts'
import { EXCESS } from '../../opcodes.ts'
import { readAddress } from '../../reading.ts'
import type { Picked } from '../../rule.ts'

/** Requests to a stake wallet; when it does not call its pool, its data names the pool. */
export const UNSTAKE = 0x499a9262
export const UNSTAKE_REQUEST = 0x0168d4b7

export const UPDATE_REQUEST = 0xf5c5baa3
const UPDATE_REWARDS = 0xae9307ce
const REQUEST_REFERRER = 0x55c35b40
const UPDATE_REFERRER = 0x076ee4e0

const isReferral = isCall(REQUEST_REFERRER, UPDATE_REFERRER)

/** The news a pool sends when a stake has changed, picked; null when the stake wallet never heard. */
export function newsAfter(pool: Block, picked: Picked): Block | null {
  let referral = picked.next(pool, isReferral)
  while (referral !== null) referral = picked.next(referral, isReferral)
  const news = picked.next(pool, isCall(UPDATE_REWARDS))
  if (news !== null) picked.next(news, isCall(EXCESS))
  return news
}

const readPool = (data: Slice): string | null => readAddress(data)

/** The pool of a stake wallet: the one it called, else the one its data names. */
export function poolOf(wallet: string | null, request: Block | null, facts: Facts): string | null {
  if (request !== null) return envelopeOf(request)?.destination ?? null
  const data = cellOf(facts.get(wallet ?? '')?.data ?? null)
  return data === null ? null : orNull(() => readPool(openCell(data)))
}
