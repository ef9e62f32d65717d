// Control of the embedded chain, from wire types to its own.

import { type ParsedAddress, toRaw } from '../../../shared/address.ts'
import { toBase64 } from '../../../shared/base64.ts'
import type { dev } from '../../../shared/dev.ts'
import { ApiError } from '../../../shared/errors.ts'
import { MINING_WORDS, type MiningMode, miningText, parseMining } from '../../../shared/mining.ts'
import { toDigits } from '../../../shared/primitives.ts'
import { BocError, type Cell, CellError, openCell, readingBoc } from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { ChangeDropped } from '../../node/index.ts'
import { loadStateInit, type StateInit } from '../../tlb/index.ts'
import { AbiBook } from '../abi/abiBook.ts'
import { nameHandlers } from '../abi/abis.ts'
import type { Call, Handlers } from '../call.ts'
import { requireOrdinaryBody } from '../tvm/ordinaryBody.ts'
import { toBlockId } from '../view/ids.ts'
import { noteOn, resetNoteOn } from './devClockNotes.ts'
import type { Caused, Controlled, DevClocks } from './devControl.ts'
import type { Indexed } from './indexedSoon.ts'

const toName = ({ workchain, hash }: ParsedAddress) => ({ workchain, id: hash })

async function toCell(param: string, boc: Uint8Array, call: Call): Promise<Cell> {
  try {
    return await inPieces(readingBoc(boc), call)
  } catch (error) {
    if (!(error instanceof BocError)) throw error
    throw new ApiError('invalidParams', `"${param}" is not a bag of cells: ${error.message}`, { param })
  }
}

async function toStateInit(param: string, boc: Uint8Array, call: Call): Promise<StateInit> {
  const cell = await toCell(param, boc, call)
  try {
    return loadStateInit(openCell(cell))
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new ApiError('invalidParams', `"${param}" is not a state init: ${error.message}`, { param })
  }
}

function toMode(text: string): MiningMode {
  const mode = parseMining(text)
  if (mode === null) throw new ApiError('invalidParams', `mining is ${MINING_WORDS}`, { param: 'mode' })
  return mode
}

const DROPPED_ADVICE = 'Nothing was changed: send the same call again.'

/** Refusals because of the chain's state are shown to the caller. */
async function asCallerError<T>(work: Promise<T> | T): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChangeDropped)
      throw new ApiError('conflict', error.message, { advice: DROPPED_ADVICE }, { cause: error })
    throw error instanceof RangeError ? new ApiError('invalidParams', error.message, {}, { cause: error }) : error
  }
}

type DevHandlers = Handlers<typeof dev>

interface Replying extends Pick<Controlled, 'control'> {
  readonly indexed: Indexed
}

/** What several methods answer with. */
function devReplies({ control, indexed }: Replying) {
  const head = () => {
    const { head: at, utime } = control.state()
    return { seqno: at.master.seqno, utime }
  }
  const done = async (work: Promise<unknown>) => {
    await asCallerError(work)
    return head()
  }
  return {
    done,
    async indexedDone(work: Promise<unknown>, call: Call) {
      const at = await done(work)
      await indexed(at.seqno, call)
      return at
    },
    async caused({ txHash, traceId, pending }: Caused, call: Call) {
      const at = head()
      // What waits for a block is in none that could be indexed.
      if (pending === 0) await indexed(at.seqno, call)
      return {
        ...at,
        ...(txHash === null ? {} : { tx_hash: toBase64(txHash) }),
        ...(traceId === null ? {} : { trace_id: toBase64(traceId) }),
        pending,
      }
    },
    async moved(work: Promise<DevClocks>, note: (clocks: DevClocks, pending: number) => string = noteOn) {
      const clocks = await asCallerError(work)
      return {
        ...head(),
        chain_time: clocks.chain,
        clock_offset: clocks.chain - clocks.computer,
        note: note(clocks, control.state().pending),
      }
    },
  }
}

interface Reverting extends Controlled, Replying {
  /** Resolves once no reader of the index sees what was undone above a block. */
  readonly followed: (mcSeqno: number, call: Call) => Promise<void>
}

/** Blocks, time, snapshots and mining. */
function chainHandlers({
  control,
  accounts,
  followed,
  indexed,
}: Reverting): Pick<
  DevHandlers,
  | 'dev.mine'
  | 'dev.increaseTime'
  | 'dev.setNextBlockTime'
  | 'dev.resetTime'
  | 'dev.snapshot'
  | 'dev.snapshots'
  | 'dev.revert'
  | 'dev.setMining'
  | 'dev.state'
> {
  const { done, indexedDone, moved } = devReplies({ control, indexed })
  return {
    'dev.mine': ({ blocks }, call) => indexedDone(control.mine(blocks), call),
    'dev.increaseTime': ({ seconds }) => moved(control.increaseTime(seconds)),
    'dev.setNextBlockTime': ({ utime }) => moved(control.setNextBlockTime(utime)),
    'dev.resetTime': () => moved(control.resetTime(), resetNoteOn),
    'dev.snapshot': async ({ label }) => ({ id: await asCallerError(control.snapshot(label)) }),
    'dev.snapshots': () => ({ snapshots: [...control.snapshots()] }),
    'dev.revert': async ({ id }, call) => {
      const head = await done(control.revert(id))
      await followed(head.seqno, call)
      return head
    },
    'dev.setMining': async ({ mode }) => {
      await asCallerError(new Promise<void>((resolve) => resolve(control.setMining(toMode(mode)))))
      return { mode: miningText(control.state().mining) }
    },
    'dev.state': () => {
      const { head: at, utime, mining, clockOffset, pending, epoch, fork } = control.state()
      return {
        head: toBlockId(at.master),
        utime,
        mining: miningText(mining),
        clock_offset: clockOffset,
        pending,
        epoch,
        ...(fork === null ? {} : { fork: toFork(fork) }),
        accounts: [...accounts],
      }
    },
  }
}

const toFork = ({ block, utime, accounts }: NonNullable<ReturnType<Controlled['control']['state']>['fork']>) => ({
  seqno: block.seqno,
  root_hash: toBlockId(block).root_hash,
  gen_utime: utime,
  accounts,
})

interface Giving extends Controlled, Replying {
  /** Sends an external message as a caller's: listeners get it while it is pending. */
  readonly send: (boc: Uint8Array, call: Call) => Promise<unknown>
}

/** TON, tokens, messages and states that no account on the chain has sent. */
function givingHandlers({
  control,
  gifts,
  send,
  indexed,
}: Giving): Pick<DevHandlers, 'dev.faucet' | 'dev.jetton' | 'dev.nft' | 'dev.setAccount' | 'dev.sendInternal'> {
  const { indexedDone, caused } = devReplies({ control, indexed })
  return {
    'dev.faucet': async ({ address, amount }, call) =>
      caused(await asCallerError(control.faucet(toName(address), amount, (boc) => send(boc, call))), call),
    'dev.jetton': async ({ address, amount }, call) => {
      const given = gifts.jetton(toName(address), amount, (boc) => send(boc, call))
      const { master, wallet, ...rest } = await asCallerError(given)
      return { ...(await caused(rest, call)), master: toRaw(master), wallet: toRaw(wallet) }
    },
    'dev.nft': async ({ address }, call) => {
      const given = gifts.nft(toName(address), (boc) => send(boc, call))
      const { collection, item, index, ...rest } = await asCallerError(given)
      return { ...(await caused(rest, call)), collection: toRaw(collection), item: toRaw(item), index: toDigits(index) }
    },
    'dev.setAccount': async ({ address, balance, code, data }, call) => {
      const patch = {
        ...toName(address),
        ...(balance === undefined ? {} : { balance }),
        ...(code === undefined ? {} : { code: await toCell('code', code, call) }),
        ...(data === undefined ? {} : { data: await toCell('data', data, call) }),
      }
      return await indexedDone(control.setAccount(patch), call)
    },
    'dev.sendInternal': async ({ from, to, value, body, init, bounce }, call) => {
      const message = { from: toName(from), to: toName(to), value, bounce }
      const content = body === undefined ? null : await toCell('body', body, call)
      if (content !== null) requireOrdinaryBody(content)
      const sent = control.sendInternal({
        ...message,
        ...(content === null ? {} : { body: content }),
        ...(init === undefined ? {} : { init: await toStateInit('init', init, call) }),
      })
      return await caused(await asCallerError(sent), call)
    },
  }
}

export function devHandlers({
  abis = new AbiBook(),
  ...controlled
}: Giving & Reverting & { readonly abis?: AbiBook | undefined }): DevHandlers {
  return { ...nameHandlers(abis), ...chainHandlers(controlled), ...givingHandlers(controlled) }
}
