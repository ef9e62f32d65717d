// What the treasury of Hipo orders, known by its address: the parent of its jettons has a wallet credited or debited, or a
// collection makes a bill for what waits for the end of a round.

import { type BodyDefinition, hipo } from '../../../bodies/index.ts'
import { wellKnownAccounts } from '../../../interfaces/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { cameBack, destinationOf, envelopeOf, isCall } from '../../base.ts'
import { JETTON_NOTIFY } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { NFT_MINT } from '../nft/mint.ts'
import { stakeDepositKind, stakeWithdrawalKind, withdrawalRequestKind } from '../staking/kinds.ts'

export const HIPO = 'hipo'
export const HIPO_DEPOSIT = stakeDepositKind('hipo_stake_deposit')
export const HIPO_WITHDRAWAL = stakeWithdrawalKind('hipo_stake_withdrawal')
export const HIPO_REQUEST = withdrawalRequestKind('hipo_stake_withdrawal_request')

const TREASURY = wellKnownAccounts.hipoTreasury.id

/** What a call of the treasury leads to is sent by the treasury. */
export const isToTreasury = (call: ActionBlock): boolean => destinationOf(call) === TREASURY

/** What the parent passed on to a wallet. */
interface Ordered {
  readonly holder: string | null
  readonly holderWallet: string | null
  readonly asset: string | null
  readonly failed: boolean
}

interface Passed {
  readonly order: ActionBlock
  readonly atWallet: ActionBlock | null
}

/** The order to the parent and the message to the wallet, picked. */
function passedAfter(call: ActionBlock, picked: Picked, ops: readonly [BodyDefinition, BodyDefinition]): Passed | null {
  const order = picked.next(call, isCall(ops[0].opcode))
  return order === null ? null : { order, atWallet: picked.next(order, isCall(ops[1].opcode)) }
}

const endsOf = ({ order, atWallet }: Passed, holder: string | null): Ordered => ({
  holder,
  holderWallet: destinationOf(atWallet),
  asset: destinationOf(order),
  failed: order.failed || atWallet === null || atWallet.failed,
})

interface Credited extends Ordered {
  /** Nanotons that were staked. */
  readonly coins: bigint
  /** Null while they are only noted, until the round ends. */
  readonly tokens: bigint | null
}

const readMinted = fieldsOf(hipo.proxyTokensMinted)
const readSaved = fieldsOf(hipo.proxySaveCoins)

/** Jettons for a deposit. */
export function mintedAfter(call: ActionBlock, picked: Picked): Credited | null {
  const passed = passedAfter(call, picked, [hipo.proxyTokensMinted, hipo.tokensMinted])
  const fields = passed === null ? null : readBody(passed.order, readMinted)
  if (passed === null || fields === null) return null
  if (passed.atWallet !== null) picked.next(passed.atWallet, isCall(JETTON_NOTIFY))
  return { ...endsOf(passed, fields.owner), coins: fields.coins, tokens: fields.tokens }
}

/** A deposit that waits. */
export function savedAfter(call: ActionBlock, picked: Picked): Credited | null {
  const passed = passedAfter(call, picked, [hipo.proxySaveCoins, hipo.saveCoins])
  const fields = passed === null ? null : readBody(passed.order, readSaved)
  return passed && fields && { ...endsOf(passed, fields.owner), coins: fields.coins, tokens: null }
}

interface Paid extends Ordered {
  readonly burnt: bigint
  /** What reached the holder; a message brings TON for the way as well. */
  readonly amount: bigint
}

const readBurned = fieldsOf(hipo.proxyTokensBurned)

/** TON for jettons that were burned: the wallet sends it on to its owner. */
export function paidAfter(call: ActionBlock, picked: Picked): Paid | null {
  const passed = passedAfter(call, picked, [hipo.proxyTokensBurned, hipo.tokensBurned])
  const fields = passed === null ? null : readBody(passed.order, readBurned)
  if (passed === null || fields === null) return null
  const { owner, coins, tokens: burnt } = fields
  const isPayment = (next: ActionBlock): boolean =>
    isCall(hipo.withdrawalNotification.opcode)(next) && destinationOf(next) === owner
  const payment = passed.atWallet === null ? null : picked.next(passed.atWallet, isPayment)
  const value = envelopeOf(payment)?.value ?? coins
  const ends = endsOf(passed, owner)
  const failed = ends.failed || payment === null || cameBack(payment)
  return { ...ends, burnt, amount: value < coins ? value : coins, failed }
}

interface Returned extends Ordered {
  readonly tokens: bigint
}

const readReturned = fieldsOf(hipo.proxyRollbackUnstake)

/** Jettons that are given back, since nothing can be paid for them. */
export function returnedAfter(call: ActionBlock, picked: Picked): Returned | null {
  const passed = passedAfter(call, picked, [hipo.proxyRollbackUnstake, hipo.rollbackUnstake])
  const fields = passed === null ? null : readBody(passed.order, readReturned)
  return passed && fields && { ...endsOf(passed, fields.owner), tokens: fields.tokens }
}

interface Bill {
  /** Null when it was not made. */
  readonly item: string | null
  readonly amount: bigint
  readonly owner: string | null
  readonly parent: string | null
}

const readBill = fieldsOf(hipo.mintBill)

/** The order to make a bill, picked. The bill itself is an item that is minted. */
export function billAfter(call: ActionBlock, picked: Picked): Bill | null {
  const order = picked.next(call, isCall(hipo.mintBill.opcode))
  const fields = order === null ? null : readBody(order, readBill)
  if (order === null || fields === null) return null
  const isAssigned = isCall(hipo.assignBill.opcode)
  const made = order.next.find((next) => !next.failed && (NFT_MINT.is(next) || isAssigned(next)))
  return { ...fields, item: NFT_MINT.of(made)?.item ?? destinationOf(made) }
}
