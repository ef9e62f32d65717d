// One request of emulation, carried out: messages one after the other on the state of one block.

import { createHash } from 'node:crypto'
import { ApiError } from '../../../shared/errors.ts'
import { computeWords } from '../../../shared/exitCodes.ts'
import type { Params } from '../../../shared/registry.ts'
import type { emulationV3 } from '../../../shared/v3/emulation.ts'
import type { Cell } from '../../cell/index.ts'
import { type BlockIdExt, ChainReverted, LiteError, masterBlock } from '../../node/index.ts'
import type { Rejected, Verbosity } from '../../tvm/index.ts'
import type { Call } from '../call.ts'
import { asChainError } from '../errors/chainErrors.ts'
import { callerTools } from '../tvm/callerTools.ts'
import type { ContractTools, PoolTools } from '../tvm/contractTools.ts'
import { type EmulatedTransaction, Emulation, type EmulationRun } from './emulation.ts'
import { configOf, overridesOf } from './overrides.ts'

/** What both kinds of request have. */
export type EmulationQuery = Omit<
  Params<(typeof emulationV3)['emulate.trace']>,
  'boc' | 'messages' | 'ignore_chksig' | 'after_pending'
>

/** Seconds from one block of the masterchain to the next, about: when a message sent now arrives. */
const SECONDS_AHEAD = 3
/** Everything with the stack at each step is slow and long; this shows each instruction and the stack. */
export const FULL_LOG: Verbosity = 4

export interface EmulatedMessage {
  /** Hash of the message as it was given. */
  readonly hash: Uint8Array
  readonly transactions: readonly EmulatedTransaction[]
}

export interface EmulatedRequest {
  readonly block: BlockIdExt
  readonly tools: ContractTools
  readonly randSeed: Uint8Array
  readonly isWhole: boolean
  readonly messages: readonly EmulatedMessage[]
}

export interface GivenMessage {
  readonly cell: Cell
  readonly hash: Uint8Array
}

export interface GivenRequest {
  /** Messages, or what makes them once it is known what happens before. */
  readonly messages:
    | readonly GivenMessage[]
    | ((before: readonly EmulatedTransaction[]) => Promise<readonly GivenMessage[]>)
  readonly ignoreSignature: boolean
  /** Messages that are executed before, and are no part of the answer. */
  readonly before?: readonly Cell[]
}

/** Transactions of messages that are executed before. */
const MOST_BEFORE = 1024

const NOT_ACCEPTED = 'failed to emulate shard block: EmulationExternalNotAccepted'

/** Codes of the TVM itself; higher ones are the contract's, and clients know them by their number. */
const HIGHEST_OF_TVM = 14
const OUT_OF_GAS = -14

function wordsOf(exitCode: number): string {
  if (exitCode === 0) return ' (no code accepted the message: the account has none, or its code ended without that)'
  if (exitCode === OUT_OF_GAS) return ' (out of gas before the contract accepted the message)'
  return exitCode <= HIGHEST_OF_TVM ? ` (${computeWords(exitCode).text})` : ''
}

const refusal = ({ exitCode, reason }: Rejected): ApiError =>
  new ApiError('notEmulated', `${NOT_ACCEPTED}: ${exitCode === null ? reason : `${exitCode}${wordsOf(exitCode)}`}`)

/** The block to start from. Throws ApiError for one that is not there. */
export async function startBlock({ chain }: Pick<PoolTools, 'chain'>, seqno: number | undefined, signal: AbortSignal) {
  const { id: head } = await chain.head({ signal })
  if (seqno === undefined || seqno === head.seqno) return head
  if (seqno > head.seqno) throw new ApiError('notEmulated', `mc block seqno is too new: the newest is ${head.seqno}`)
  try {
    return await masterBlock(chain, seqno, { signal })
  } catch (error) {
    if (!(error instanceof LiteError) || error instanceof ChainReverted) throw error
    const known = asChainError(error)
    throw new ApiError('notEmulated', `failed to fetch mc block  ${seqno}: ${error.message}`, {}, { cause: known })
  }
}

const seedOf = (block: BlockIdExt, messages: readonly GivenMessage[]): Uint8Array => {
  const hash = createHash('sha256').update(block.rootHash)
  for (const { cell } of messages) hash.update(cell.hashBytes())
  return hash.digest()
}

/** Logical times have 63 bits, and those of a trace follow the first. */
export const MOST_LT = 2n ** 63n - 2n ** 40n

function ltOf({ lt }: EmulationQuery): bigint | undefined {
  if (lt === undefined) return undefined
  const value = BigInt(lt)
  if (value < 0n || value > MOST_LT) throw new ApiError('invalidParams', `"lt" must be from 0 to ${MOST_LT}`)
  return value
}

/** Throws ApiError when the first contract refuses a message. */
export async function emulateRequest(
  tools: PoolTools,
  block: BlockIdExt,
  given: GivenRequest,
  query: EmulationQuery,
  call: Call,
): Promise<EmulatedRequest> {
  const { signal } = call
  const mine = callerTools(tools, call)
  const override = await overridesOf(query, call)
  const start = {
    secondsAhead: SECONDS_AHEAD,
    isPast: query.mc_block_seqno !== undefined,
    unixtime: query.unixtime,
    lt: ltOf(query),
    randSeed: query.rand_seed ?? seedOf(block, []),
    config: await configOf(query, await tools.settings.at(block, signal), call),
    ...(override === undefined ? {} : { override }),
  }
  const emulation = new Emulation(tools, block, start)
  const wanted = query.include_vm_log === 'none' ? {} : { verbosity: FULL_LOG }
  const messages: EmulatedMessage[] = []
  const before: EmulatedTransaction[] = []
  let isWhole = true
  for (const cell of given.before ?? []) {
    if (before.length >= MOST_BEFORE) isWhole = false
    else before.push(...(await emulation.follow([cell], { pool: mine.pool, signal })).transactions)
  }
  const wantedMessages = typeof given.messages === 'function' ? await given.messages(before) : given.messages
  const randSeed = query.rand_seed ?? seedOf(block, wantedMessages)
  const { ignoreSignature } = given
  const run: EmulationRun = { pool: mine.pool, signal, ignoreSignature, randSeed, ...wanted }
  for (const { cell, hash } of wantedMessages) {
    const followed = await emulation.follow([cell], run)
    if (followed.refused !== null) throw refusal(followed.refused)
    isWhole &&= followed.isWhole
    messages.push({ hash, transactions: followed.transactions })
  }
  return { block, tools: mine, randSeed, isWhole, messages }
}

const isFailed = ({ transaction: { description } }: EmulatedTransaction): boolean =>
  'aborted' in description && description.aborted

/** Transactions whose log is requested. */
export function logged(
  { messages }: EmulatedRequest,
  wanted: EmulationQuery['include_vm_log'],
): readonly EmulatedTransaction[] {
  if (wanted === 'none') return []
  const all = messages.flatMap(({ transactions }) => transactions)
  return wanted === 'all' ? all : all.filter(isFailed)
}
