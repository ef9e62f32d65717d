// Messages between a stake wallet of JVault and its pool, and what follows: updated rewards, also those of the account
// that invited the staker.

import { jvault, jvaultPoolData, jvaultWalletData } from '../../../bodies/index.ts'
import { type Cell, openCell, orNull, type Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall } from '../../base.ts'
import type { AccountsFacts, TraceInput, TraceTransaction } from '../../input.ts'
import { cellOf } from '../../node.ts'
import { EXCESS } from '../../opcodes.ts'
import { fieldsOf } from '../../reading.ts'
import type { Picked } from '../../rule.ts'

const isReferral = isCall(jvault.requestReferrer.opcode, jvault.updateReferrer.opcode)

/** The notification that a pool sends when a stake has changed, picked; null when the stake wallet received none. */
export function newsAfter(pool: ActionBlock, picked: Picked): ActionBlock | null {
  let referral = picked.next(pool, isReferral)
  while (referral !== null) referral = picked.next(referral, isReferral)
  const news = picked.next(pool, isCall(jvault.updateRewards.opcode))
  if (news !== null) picked.next(news, isCall(EXCESS))
  return news
}

const readWallet = fieldsOf(jvaultWalletData)
const readPool = fieldsOf(jvaultPoolData, 'stakesWallet')

/** A contract may hold megabytes, and thousands of requests may go to the same one. */
const cells = new WeakMap<Uint8Array, Cell | null>()

function dataCell(data: Uint8Array): Cell | null {
  const known = cells.get(data)
  if (known !== undefined) return known
  const cell = cellOf(data)
  cells.set(data, cell)
  return cell
}

/** When a stake wallet does not call its pool, its data names the pool. */
function readData<T>(account: string | null, facts: AccountsFacts, read: (data: Slice) => T): T | null {
  const data = facts.get(account ?? '')?.data
  const cell = data === undefined ? null : dataCell(data)
  return cell === null ? null : orNull(() => read(openCell(cell)))
}

/** The pool of a stake wallet: the one it called, else the one its data names. */
export function poolOf(wallet: string | null, request: ActionBlock | null, facts: AccountsFacts): string | null {
  if (request !== null) return destinationOf(request)
  return readData(wallet, facts, readWallet)?.pool ?? null
}

/** The wallet in which a pool holds what was staked. */
export const stakesWalletOf = (pool: string | null, facts: AccountsFacts): string | null =>
  readData(pool, facts, readPool)?.stakesWallet ?? null

export interface StakeParties {
  readonly stakeWallet: string
  readonly pool: string | null
}

/** Stake wallets that were to give a stake back, with the pools they called or, once their data is known, belong to. */
export function stakePartiesIn(
  { transactions }: Pick<TraceInput, 'transactions'>,
  facts: AccountsFacts,
): StakeParties[] {
  const isRequest = ({ inMessage }: TraceTransaction) =>
    inMessage?.kind === 'internal' &&
    (inMessage.opcode === jvault.unstake.opcode || inMessage.opcode === jvault.unstakeRequest.opcode)
  return transactions.filter(isRequest).map(({ account, outMessages }) => ({
    stakeWallet: account,
    pool:
      outMessages.find(({ opcode }) => opcode === jvault.updateRequest.opcode)?.destination ??
      readData(account, facts, readWallet)?.pool ??
      null,
  }))
}
