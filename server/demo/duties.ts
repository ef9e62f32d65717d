// What a validator of the demo chain has to do, by what the elector, the pool and the configuration hold.

import {
  type Cell,
  coinsValue,
  dictBytesKey,
  dictKind,
  loadDict,
  openCell,
  sameBytes,
  sliceValue,
} from '../cell/index.ts'
import { type AccountId, ELECTOR_ADDRESS, electorRecoverBody } from '../devchain/index.ts'
import { poolNoteValidatorSetBody, poolPayRequestedBody, poolRecoverStakeBody } from './contracts/index.ts'
import { type CrewMember, demoPool, POOL_STAKE, poolStakeOf, STAKE, STAKE_FEE, stakeOf } from './parts/crew.ts'
import { type Cast, type ScriptSending, scriptCoins } from './script.ts'

const membersKind = dictKind(dictBytesKey(256), sliceValue)
const creditsKind = dictKind(dictBytesKey(256), coinsValue)

export interface ElectorFacts {
  /** Null when stakes are not taken. */
  readonly open: { readonly electAt: number; has(publicKey: Uint8Array): boolean } | null
  creditOf(account: AccountId): bigint
}

export interface PoolFacts {
  readonly isFree: boolean
  readonly hasRequests: boolean
  readonly setHash: Uint8Array
  readonly setChanges: number
  /** Unix seconds: when the elector has let its stake go. */
  readonly freeFrom: number
}

export interface Situation {
  readonly elector: ElectorFacts
  readonly pool: PoolFacts
  /** Hash of the current set. */
  readonly setHash: Uint8Array
  readonly now: number
  /** Nanotons of an account. */
  balanceOf(account: AccountId): bigint
}

export function readElector(data: Cell): ElectorFacts {
  const slice = openCell(data)
  const election = slice.loadBit() ? openCell(slice.loadRef()) : null
  const credits = loadDict(slice, creditsKind)
  return { open: election && readElection(election), creditOf: ({ hash }) => credits.get(hash) ?? 0n }
}

function readElection(slice: ReturnType<typeof openCell>): ElectorFacts['open'] {
  const electAt = slice.loadUint(32)
  slice.loadUint(32)
  slice.loadCoins()
  slice.loadCoins()
  const members = loadDict(slice, membersKind)
  slice.loadBit()
  const isFinished = slice.loadBit()
  return isFinished ? null : { electAt, has: (publicKey) => members.has(publicKey) }
}

/** Longer than the elector may need after the time it holds a stake. */
const RECOVERY_DELAY = 60

export function readPool(data: Cell): PoolFacts {
  const slice = openCell(data)
  const state = slice.loadUint(8)
  slice.loadUint(16)
  slice.loadCoins()
  slice.loadCoins()
  slice.loadRef()
  if (slice.loadBit()) slice.loadRef()
  const hasRequests = slice.loadBit()
  if (hasRequests) slice.loadRef()
  slice.loadUint(32)
  const setHash = slice.loadBytes(32)
  const setChanges = slice.loadUint(8)
  const changedAt = slice.loadUint(32)
  const freeFrom = changedAt + slice.loadUint(32) + RECOVERY_DELAY
  return { isFree: state === 0, hasRequests, setHash, setChanges, freeFrom }
}

const COSTS = scriptCoins(5)

function recovery({ wallet }: CrewMember, { elector }: Situation, queryId: bigint): ScriptSending[] {
  if (elector.creditOf(wallet.address) === 0n) return []
  return [{ to: ELECTOR_ADDRESS, value: scriptCoins(1), body: electorRecoverBody(queryId) }]
}

function poolDuties(
  { address }: { readonly address: AccountId },
  situation: Situation,
  queryId: bigint,
): ScriptSending[] {
  const { pool, elector, setHash, now } = situation
  const order = (body: Cell): ScriptSending[] => [{ to: address, value: scriptCoins(1), body }]
  if (pool.isFree) return pool.hasRequests ? order(poolPayRequestedBody(queryId, 40)) : []
  if (pool.setChanges < 3 && !sameBytes(pool.setHash, setHash)) return order(poolNoteValidatorSetBody(queryId))
  const isFree = pool.setChanges > 2 || (pool.setChanges === 2 && now > pool.freeFrom)
  return isFree && elector.creditOf(address) > 0n ? order(poolRecoverStakeBody(queryId)) : []
}

/** What a member sends next. The first one stakes the coins of the pool when they are free, else its own. */
export function dutiesOf(cast: Cast, member: CrewMember, isFirst: boolean, situation: Situation): ScriptSending[] {
  const { elector, pool, balanceOf, now } = situation
  const queryId = BigInt(now)
  const account = demoPool(cast)
  const sends = [...recovery(member, situation, queryId), ...(isFirst ? poolDuties(account, situation, queryId) : [])]
  const { open } = elector
  if (open === null || open.has(member.validator.publicKey)) return sends
  if (isFirst && pool.isFree && balanceOf(account.address) > POOL_STAKE + STAKE_FEE + scriptCoins(15))
    return pool.hasRequests ? sends : [...sends, poolStakeOf(cast, member, open.electAt, queryId)]
  if (balanceOf(member.wallet.address) > STAKE + STAKE_FEE + COSTS) sends.push(stakeOf(member, open.electAt, queryId))
  return sends
}
