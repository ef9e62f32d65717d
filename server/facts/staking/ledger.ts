// The ledger of a nominator pool, and what the public contract makes of it with each message: so that states between the
// transactions of one block are known, and a contract that only looks like a pool is recognized as none.

import { nominators } from '../../bodies/index.ts'
import { type BinaryHash, hashFromBytes, hashToBytes, orNull, sameBytes } from '../../cell/index.ts'
import type { AccountKey } from '../../store/index.ts'
import type { PoolData, PoolNominator, PoolTerms } from '../../tlb/index.ts'
import { accountKey, addressKey } from '../parse/accountKey.ts'
import type { TransactionFacts } from '../parse/facts.ts'
import { behindOp, letterOf, OPS, requestOf, type StakingRequest } from './stakingRequest.ts'

export interface Ledger {
  readonly state: number
  readonly stakeAmountSent: bigint
  readonly validatorAmount: bigint
  readonly terms: PoolTerms
  /** By account id in the basechain. */
  readonly nominators: ReadonlyMap<BinaryHash, PoolNominator>
  /** Of those, who requested their stake. */
  readonly requests: ReadonlySet<BinaryHash>
  readonly stakeAt: number
}

const TON = 1_000_000_000n
const BASECHAIN = 0
const WHOLE_SHARE = 10_000n

const FREE = 0
const SENT = 1
const STAKED = 2

export function ledgerOf(data: PoolData): Ledger {
  const { state, stakeAmountSent, validatorAmount, terms, nominators, withdrawRequests, stakeAt } = data
  const requests = new Set([...withdrawRequests].filter((id) => nominators.has(id)))
  return { state, stakeAmountSent, validatorAmount, terms, nominators, requests, stakeAt }
}

/** The same pool before anything was put in. */
export const emptied = ({ terms }: Ledger): Ledger => ({
  state: FREE,
  stakeAmountSent: 0n,
  validatorAmount: 0n,
  terms,
  nominators: new Map(),
  requests: new Set(),
  stakeAt: 0,
})

const floorDiv = (a: bigint, b: bigint): bigint => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n)

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** A stake of `stakeAmountSent` came back with this value, and what waited is active from now on. */
export function shareReward(ledger: Ledger, value: bigint): Ledger {
  const reward = value - ledger.stakeAmountSent
  const part = least(reward, floorDiv(reward * BigInt(ledger.terms.validatorShare), WHOLE_SHARE))
  const validatorAmount = ledger.validatorAmount + (reward > 0n ? part : reward)
  const shared = reward > 0n ? reward - part : least(validatorAmount, 0n)
  let total = 0n
  for (const { amount } of ledger.nominators.values()) total += amount
  const nominators = new Map<BinaryHash, PoolNominator>()
  for (const [id, { amount, pending }] of ledger.nominators) {
    const delta = total > 0n ? floorDiv(shared * amount, total) : 0n
    nominators.set(id, { amount: greatest(0n, amount + delta) + pending, pending: 0n })
  }
  return { ...ledger, state: FREE, stakeAmountSent: 0n, validatorAmount: greatest(0n, validatorAmount), nominators }
}

function without(ledger: Ledger, ids: readonly BinaryHash[]): Ledger {
  if (ids.length === 0) return ledger
  const nominators = new Map(ledger.nominators)
  const requests = new Set(ledger.requests)
  for (const id of ids) {
    nominators.delete(id)
    requests.delete(id)
  }
  return { ...ledger, nominators, requests }
}

/** What the public contract reads of its own balance, which a transaction does not show, is read off what it sent. */
interface Turn {
  readonly ledger: Ledger
  readonly request: StakingRequest
  readonly transaction: TransactionFacts
  /** Whether amounts below 1 TON, which are paid without a message, could be paid. */
  readonly paysSmall: boolean
}

const totalOf = ({ amount, pending }: PoolNominator): bigint => amount + pending

/** Of a letter, the rest of its value comes back too: less than was sent with it. */
function isPaid({ ledger, request, transaction, paysSmall }: Turn, id: BinaryHash): boolean {
  const nominator = ledger.nominators.get(id)
  if (nominator === undefined) return false
  if (totalOf(nominator) < TON) return paysSmall
  const account = hashFromBytes(accountKey(BASECHAIN, hashToBytes(id)))
  const sent = transaction.outMessages.filter(
    ({ destination }) => destination !== null && hashFromBytes(destination) === account,
  )
  const [only] = sent
  if (account !== hashFromBytes(request.source)) return sent.length > 0
  return sent.length > 1 || (only !== undefined && (only.value ?? 0n) > request.value)
}

function pay(turn: Turn, ids: readonly BinaryHash[], most: number): Ledger {
  const paid: BinaryHash[] = []
  for (const id of ids) {
    if (paid.length >= most || !isPaid(turn, id)) break
    paid.push(id)
  }
  return without(turn.ledger, paid)
}

function deposit({ ledger, request }: Turn, id: BinaryHash): Ledger {
  const put = request.value - TON
  const { amount, pending } = ledger.nominators.get(id) ?? { amount: 0n, pending: 0n }
  const after = ledger.state === FREE ? { amount: amount + put, pending } : { amount, pending: pending + put }
  return { ...ledger, nominators: new Map(ledger.nominators).set(id, after) }
}

function letter(turn: Turn): Ledger {
  const { ledger, request } = turn
  const [workchain] = request.source
  const id = hashFromBytes(request.source.subarray(1))
  if (workchain !== BASECHAIN + 128) return ledger
  const word = letterOf(request)
  if (word === 'd') return deposit(turn, id)
  if (word !== 'w') return ledger
  if (ledger.state === FREE) return pay(turn, [id], 1)
  return ledger.nominators.has(id) ? { ...ledger, requests: new Set(ledger.requests).add(id) } : ledger
}

const readLimit = nominators.payRequested.reader(addressKey, 'limit')
const readNominator = nominators.payOne.reader(addressKey, 'nominator')
const readAmount = nominators.validatorWithdrawal.reader(addressKey, 'amount')
const readStake = nominators.newStake.reader(addressKey, 'amount', 'stakeAt')

function operation(turn: Turn): Ledger {
  const { ledger, request } = turn
  const rest = behindOp(request)
  switch (request.op) {
    case OPS.payRequested:
      return pay(turn, [...ledger.requests].sort(), Math.max(1, readLimit(rest).limit))
    case OPS.payOne:
      return pay(turn, [hashFromBytes(readNominator(rest).nominator)], 1)
    case OPS.validatorDeposit:
      return { ...ledger, validatorAmount: ledger.validatorAmount + request.value - TON }
    case OPS.validatorWithdrawal:
      return { ...ledger, validatorAmount: greatest(0n, ledger.validatorAmount - readAmount(rest).amount) }
    case OPS.newStake: {
      const { amount, stakeAt } = readStake(rest)
      return { ...ledger, state: SENT, stakeAmountSent: amount - TON, stakeAt }
    }
    default:
      return ledger
  }
}

function answer({ ledger, request }: Turn): Ledger {
  if (request.op === OPS.stakeRecovered) return shareReward(ledger, request.value)
  if (ledger.state !== SENT) return ledger
  if (request.op === OPS.stakeAccepted) return { ...ledger, state: STAKED }
  return request.op === OPS.stakeRejected ? { ...ledger, state: FREE } : ledger
}

function bounced({ ledger, request }: Turn): Ledger {
  return request.op === OPS.newStake && ledger.state === SENT ? { ...ledger, state: FREE } : ledger
}

/** Where the elector is; and how what cannot be seen is taken. */
export interface Rules {
  readonly elector: AccountKey
  readonly paysSmall: boolean
}

export const isFrom = ({ source }: StakingRequest, account: AccountKey): boolean => sameBytes(source, account)

/** The ledger after a transaction of its pool, by the public rules. */
export function ledgerAfter(ledger: Ledger, transaction: TransactionFacts, { elector, paysSmall }: Rules): Ledger {
  const request = requestOf(transaction)
  if (request === null) return ledger
  const turn = { ledger, request, transaction, paysSmall }
  if (request.isBounced) return bounced(turn)
  if (isFrom(request, elector)) return answer(turn)
  if (request.op === 0) return letter(turn)
  // A body that is too short makes the contract fail, and is here only if the contract is another one.
  return orNull(() => operation(turn)) ?? ledger
}

const sameNominators = (a: Ledger['nominators'], b: Ledger['nominators']): boolean =>
  a.size === b.size &&
  [...a].every(([id, { amount, pending }]) => {
    const other = b.get(id)
    return other !== undefined && other.amount === amount && other.pending === pending
  })

export const sameLedger = (a: Ledger, b: Ledger): boolean =>
  a.state === b.state &&
  a.stakeAmountSent === b.stakeAmountSent &&
  a.validatorAmount === b.validatorAmount &&
  a.stakeAt === b.stakeAt &&
  a.requests.size === b.requests.size &&
  [...a.requests].every((id) => b.requests.has(id)) &&
  sameNominators(a.nominators, b.nominators)
