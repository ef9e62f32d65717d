// Stakes sent to the elector and back.

import { elector } from '../../bodies/index.ts'
import { MAX_DEPTH, openCell, orNull, readBoc, sameBytes } from '../../cell/index.ts'
import type { AccountKey, StakeEventRow, WrittenMessage } from '../../store/index.ts'
import { addressKey } from '../parse/accountKey.ts'
import type { TransactionFacts } from '../parse/facts.ts'
import { behindOp, OPS, requestOf, type StakingRequest, sentOp } from './stakingRequest.ts'

/** What the elector keeps to confirm a stake. */
const CONFIRMATION = 1_000_000_000n
const MIN_BODY_BITS = 96

type Found = Pick<StakeEventRow, 'type' | 'holder' | 'amount'> & Partial<StakeEventRow>

/** Operations that begin an event, as the index keeps them: signed. */
const OF_ELECTOR: ReadonlySet<number> = new Set([OPS.newStake | 0, OPS.recoverStake | 0])
const OF_HOLDERS: ReadonlySet<number> = new Set([OPS.stakeRecovered | 0, OPS.recoverFailed | 0])

function answerTo({ source, queryId }: StakingRequest, sent: readonly WrittenMessage[]) {
  for (const message of sent) {
    const { destination, value, body } = message
    if (destination === null || !sameBytes(destination, source)) continue
    const found = sentOp(message)
    if (found === null || found.queryId !== queryId) continue
    if (found.op === OPS.stakeAccepted || found.op === OPS.stakeRejected) return { ...found, value: value ?? 0n, body }
  }
  return null
}

const readOffer = elector.newStake.reader(addressKey, 'validatorPubkey', 'stakeAt', 'adnlAddr')

function offered(request: StakingRequest, { outMessages }: TransactionFacts): Found | null {
  const { validatorPubkey: publicKey, stakeAt: electionId, adnlAddr: adnl } = readOffer(behindOp(request))
  const stake = { holder: request.source, publicKey, electionId, adnl }
  const answer = answerTo(request, outMessages)
  if (answer?.op === OPS.stakeRejected)
    return { ...stake, type: 'stake_rejected', amount: answer.value, reason: reasonOf(answer.body) }
  if (answer === null && (request.queryId !== 0n || outMessages.length > 0)) return null
  return { ...stake, type: 'stake_accepted', amount: request.value - CONFIRMATION }
}

const reasonOf = (boc: Uint8Array): number | null => {
  const slice = openCell(readBoc(boc, { maxDepth: MAX_DEPTH })).skip(MIN_BODY_BITS)
  return slice.remainingBits < 32 ? null : slice.loadUint(32)
}

function ofElector(request: StakingRequest, transaction: TransactionFacts): Found | null {
  if (request.op === OPS.recoverStake)
    return { type: 'recover_requested', holder: request.source, amount: request.value }
  return request.op === OPS.newStake ? offered(request, transaction) : null
}

function ofHolder({ op, value }: StakingRequest, { account }: TransactionFacts): Found | null {
  if (op === OPS.stakeRecovered) return { type: 'stake_recovered', holder: account, amount: value }
  return op === OPS.recoverFailed ? { type: 'recover_failed', holder: account, amount: value } : null
}

/** The event a transaction is; null for most. */
export function stakeEvent(transaction: TransactionFacts, elector: AccountKey): StakeEventRow | null {
  const { account, inOpcode, inMessage } = transaction
  if (inOpcode === null || inMessage === null || inMessage.source === null) return null
  const isElector = OF_ELECTOR.has(inOpcode) && sameBytes(account, elector)
  const isHolder = OF_HOLDERS.has(inOpcode) && sameBytes(inMessage.source, elector)
  if (!isElector && !isHolder) return null
  const request = requestOf(transaction)
  if (request === null || request.isBounced || request.body.bits < MIN_BODY_BITS) return null
  const found = isElector ? orNull(() => ofElector(request, transaction)) : ofHolder(request, transaction)
  if (found === null) return null
  return {
    txHash: transaction.hash,
    txLt: transaction.lt,
    utime: transaction.now,
    mcSeqno: transaction.mcSeqno,
    publicKey: null,
    adnl: null,
    electionId: null,
    reason: null,
    queryId: request.queryId,
    ...found,
  }
}
