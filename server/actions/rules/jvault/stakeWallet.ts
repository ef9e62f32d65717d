// Messages between a stake wallet of JVault and its pool, and what follows: updated rewards, also those of the account
// that invited the staker.

import { openCell, type Slice } from '../../../cell/index.ts'
import { orNull } from '../../../tlb/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts, TraceInput, TraceTransaction } from '../../input.ts'
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

function readData<T>(account: string | null, facts: Facts, read: (data: Slice) => T): T | null {
  const data = cellOf(facts.get(account ?? '')?.data ?? null)
  return data === null ? null : orNull(() => read(openCell(data)))
}

/** The pool of a stake wallet: the one it called, else the one its data names. */
export function poolOf(wallet: string | null, request: Block | null, facts: Facts): string | null {
  if (request !== null) return envelopeOf(request)?.destination ?? null
  return readData(wallet, facts, readAddress)
}

/** Behind a flag, an index, the factory and the owner. */
function readStakesWallet(data: Slice): string | null {
  readAddress(data.skip(1 + 32))
  readAddress(data)
  return readAddress(data)
}

/** The wallet in which a pool holds what was staked. */
export const stakesWalletOf = (pool: string | null, facts: Facts): string | null =>
  readData(pool, facts, readStakesWallet)

export interface StakeParties {
  readonly stakeWallet: string
  readonly pool: string | null
}

/** Stake wallets that were to give a stake back, with the pools they called or, once their data is known, belong to. */
export function stakePartiesIn({ transactions }: Pick<TraceInput, 'transactions'>, facts: Facts): StakeParties[] {
  const isRequest = ({ inMessage }: TraceTransaction) =>
    inMessage?.kind === 'internal' && (inMessage.opcode === UNSTAKE || inMessage.opcode === UNSTAKE_REQUEST)
  return transactions.filter(isRequest).map(({ account, outMessages }) => ({
    stakeWallet: account,
    pool:
      outMessages.find(({ opcode }) => opcode === UPDATE_REQUEST)?.destination ?? readData(account, facts, readAddress),
  }))
}
