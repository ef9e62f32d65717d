// Deploying and driving a pool of nominators: who puts coins in writes a letter, the rest are operations.

import { elector, nominators } from '../../../bodies/index.ts'
import { beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountId, commentBody, type Deployment, operationBody } from '../../../devchain/index.ts'
import { cellWriter } from '../body.ts'
import { deployment } from '../code.ts'

export interface PoolParts {
  /** In the masterchain. */
  readonly validator: AccountId
  /** Of what a stake earns, in parts of 10,000. */
  readonly validatorShare: number
  readonly maxNominators: number
  /** Nanotons. */
  readonly minValidatorStake: bigint
  readonly minNominatorStake: bigint
}

const writePayRequested = cellWriter(nominators.payRequested)
const writePayOne = cellWriter(nominators.payOne)
const writeWithdrawal = cellWriter(nominators.validatorWithdrawal)

/** A pool in the masterchain. Its first message should be `poolAcceptCoinsBody`, with at least ten coins. */
export function nominatorPool(parts: PoolParts): Deployment {
  const terms = beginCell()
    .storeBytes(parts.validator.hash)
    .storeUint(parts.validatorShare, 16)
    .storeUint(parts.maxNominators, 16)
    .storeCoins(parts.minValidatorStake)
    .storeCoins(parts.minNominatorStake)
    .end()
  const head = beginCell().storeUint(0, 8).storeUint(0, 16).storeCoins(0n).storeCoins(0n).storeRef(terms)
  const noOne = head.storeRepeat(0, 2).storeUint(0, 32)
  const data = noOne.storeUint(0n, 256).storeUint(0, 8).storeUint(0, 32).storeUint(0, 32).storeBit(0).end()
  return deployment('staking/pool', data, { workchain: -1 })
}

/** From a nominator, with the deposit and its fee. */
export const poolDepositBody = (): Cell => commentBody('d')
/** From a nominator: all of it back, as soon as it can be. */
export const poolWithdrawBody = (): Cell => commentBody('w')
/** From a nominator or the validator, about a proposal to change the configuration; its hash has 32 bytes. */
export const poolVoteBody = (isFor: boolean, proposal: Uint8Array): Cell =>
  commentBody(`${isFor ? 'y' : 'n'}${Buffer.from(proposal).toString('hex')}`)

export const poolAcceptCoinsBody = (queryId: bigint): Cell =>
  operationBody(nominators.acceptCoins.opcode, queryId).end()

/** From anybody: pays those who requested their coins, up to `limit` of them. */
export const poolPayRequestedBody = (queryId: bigint, limit: number): Cell => writePayRequested({ queryId, limit })

/** From anybody: pays one who requested coins, also while a stake is in use. */
export const poolPayOneBody = (queryId: bigint, { hash }: AccountId): Cell => writePayOne({ queryId, nominator: hash })

/** From the validator, with the deposit and its fee. */
export const poolValidatorDepositBody = (queryId: bigint): Cell =>
  operationBody(nominators.validatorDeposit.opcode, queryId).end()

export const poolValidatorWithdrawalBody = (queryId: bigint, amount: bigint): Cell =>
  writeWithdrawal({ queryId, amount })

/** From anybody, when the validators are others than before. */
export const poolNoteValidatorSetBody = (queryId: bigint): Cell =>
  operationBody(nominators.noteValidatorSet.opcode, queryId).end()

/** From anybody. */
export const poolForgetOldVotingsBody = (queryId: bigint): Cell =>
  operationBody(nominators.forgetOldVotings.opcode, queryId).end()

/** From the validator: `stake` is what the elector is to get behind the query id. */
export function poolStakeBody(queryId: bigint, amount: bigint, stake: Cell): Cell {
  const body = operationBody(nominators.newStake.opcode, queryId)
    .storeCoins(amount)
    .storeRange(stake.data(), 0, stake.bits)
  for (const ref of stake.refs) body.storeRef(ref)
  return body.end()
}

/** From anybody, once the stake is free. */
export const poolRecoverStakeBody = (queryId: bigint): Cell => operationBody(elector.recoverStake.opcode, queryId).end()
