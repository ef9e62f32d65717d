// Nominator pools, whose commands are one-letter comments.

import { nominators } from '../../../bodies/index.ts'
import { wellKnownCodes } from '../../../interfaces/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { cameBack, destinationOf, envelopeOf, isCall, isComment, TON_TRANSFER } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { Picked, type Rule } from '../../rule.ts'
import { NOMINATOR, stakeDepositKind, stakeWithdrawalKind, withdrawalRequestKind } from './kinds.ts'

const DEPOSIT = stakeDepositKind('nominator_pool_deposit')
const REQUEST = 'nominator_pool_withdraw_request'
const WITHDRAWAL = stakeWithdrawalKind(REQUEST)
const WITHDRAWAL_REQUEST = withdrawalRequestKind(REQUEST)

function poolOf(block: ActionBlock, facts: AccountsFacts): string | null {
  const account = destinationOf(block) ?? ''
  const known = facts.get(account)
  return known?.codeHash === wellKnownCodes.nominatorPool.id || known?.interfaces.includes('tv_pool') === true
    ? account
    : null
}

/** Whether a pool did not carry a command out: with too little gas it keeps the TON all the same, and the transfer succeeds. */
const isRefused = (block: ActionBlock): boolean => block.first.transaction.aborted

/** Invariant: a known nominator pool is sent TON with the command to deposit. */
export const nominatorDeposit: Rule = {
  name: 'staking/nominatorDeposit',
  begins: isComment('d'),
  match(block, facts) {
    const pool = poolOf(block, facts)
    if (pool === null) return null
    const { source = null, value = null } = envelopeOf(block) ?? {}
    const picked = new Picked(block)
    picked.absorb(block)
    const content = DEPOSIT.content({
      provider: NOMINATOR,
      holder: source,
      pool,
      amount: value,
      minted: null,
      asset: null,
    })
    return { blocks: picked.blocks, content, failed: isRefused(block) }
  },
}

const isTransfer = (block: ActionBlock): boolean => TON_TRANSFER.is(block)
const sentValue = (block: ActionBlock | undefined): bigint => TON_TRANSFER.of(block)?.value ?? 0n

/** The stake among what the pool sent back: what is more than it was sent, or the earlier of two. */
function stakeAmong(sentBack: readonly ActionBlock[], sent: bigint): ActionBlock | undefined {
  const [first] = sentBack
  return sentBack.length === 2 || (sentBack.length === 1 && sentValue(first) > sent) ? first : undefined
}

/** Invariant: a known nominator pool, commanded to withdraw, sends the stake back or notes the request. */
export const nominatorWithdrawal: Rule = {
  name: 'staking/nominatorWithdrawal',
  begins: isComment('w'),
  match(block, facts) {
    const pool = poolOf(block, facts)
    if (pool === null) return null
    const { source = null, value = null } = envelopeOf(block) ?? {}
    const picked = new Picked(block)
    const stake = stakeAmong(picked.every(block, isTransfer), value ?? 0n)
    // The stake may be what has not arrived yet.
    if (stake === undefined && !isRefused(block) && block.first.isUnfinished) return null
    const common = { provider: NOMINATOR, holder: source, pool, payoutNft: null, burnt: null, asset: null }
    if (stake === undefined)
      return { blocks: picked.blocks, content: WITHDRAWAL_REQUEST.content(common), failed: isRefused(block) }
    const content = WITHDRAWAL.content({ amount: sentValue(stake), ...common })
    return { blocks: picked.blocks, content, failed: cameBack(stake) }
  },
}

/** Whom a pool paid: the last it sends is the change of the call, where that goes to the caller and is less than it was sent. */
function paidOn(call: ActionBlock): readonly ActionBlock[] {
  const paid = call.next.filter(isTransfer)
  const { source = null, value = null } = envelopeOf(call) ?? {}
  const last = paid.at(-1)
  return destinationOf(last) === source && sentValue(last) < (value ?? 0n) ? paid.slice(0, -1) : paid
}

/** Invariant: a known nominator pool, called to pay those who requested, or one of them, pays each. */
export const nominatorProcessing: Rule = {
  name: 'staking/nominatorProcessing',
  begins: isCall(nominators.payRequested.opcode, nominators.payOne.opcode),
  match(block, facts) {
    const pool = poolOf(block, facts)
    if (pool === null) return null
    return paidOn(block).map((paid) => {
      const { destination: holder = null, value: amount = null } = envelopeOf(paid) ?? {}
      const common = { provider: NOMINATOR, pool, payoutNft: null, burnt: null, asset: null }
      const content = WITHDRAWAL.content({ holder, amount, ...common })
      return { blocks: new Set([paid]), content, failed: cameBack(paid) }
    })
  },
}
