// Sending an external message into the chain.

import { inPieces } from '../fairness/index.ts'
import { normalizedHash } from '../tlb/index.ts'
import type { GrowingChain } from './chain/index.ts'
import type { External, ExternalOutcome, Rejection } from './collate/index.ts'
import type { ForkedAccounts } from './fork/index.ts'
import { LogBroken, LogFull } from './log/index.ts'
import {
  accountOfMoment,
  clockHint,
  externalLimitsOf,
  type Mempool,
  type Receipt,
  readExternal,
  readingExternal,
  receiptOf,
  refusalOf,
  refused,
  type Trial,
} from './mempool/index.ts'
import type { Miner } from './mining/index.ts'
import { isAbsent } from './state/index.ts'

export interface SendingParts {
  readonly chain: GrowingChain
  readonly pool: Mempool
  readonly miner: Miner
  readonly trial: Trial
  /** Null for a chain of its own. */
  readonly fork: ForkedAccounts | null
}

/** A message, and whose it is. */
interface Sent {
  readonly external: External
  readonly share: string | undefined
}

/** Bytes of a message that is read in pieces. */
const LARGE = 4096
/** One line per instruction. */
const STEPS_IN_LOG = 1

/**
 * Takes a message. In mode `auto` resolves when it is in a durable block; otherwise when a trial on the newest state has
 * succeeded. Rejects with MessageRefused.
 */
export async function sendToMempool(parts: SendingParts, boc: Uint8Array, share?: string): Promise<Receipt> {
  const { pool, miner } = parts
  const isLarge = boc.length > LARGE
  const limits = externalLimitsOf(parts.chain.moment.master)
  const read = isLarge ? await inPieces(readingExternal(boc, limits), { subject: share }) : readExternal(boc, limits)
  const { external, content } = read
  const hash = normalizedHash(content)
  const sent: Sent = { external, share }
  const receipt = receiptOf(external, hash)
  if (parts.fork !== null) await bringAccount(parts.fork, sent)
  const isAtOnce = miner.mode === 'auto'
  if (!isAtOnce && pool.waiting(hash) === undefined) await tryOut(parts, sent)
  const outcome = pool.waiting(hash) ?? pool.add(external, hash)
  if (!isAtOnce) pool.acknowledge(hash)
  miner.wake()
  return isAtOnce ? await answer(parts, { sent, receipt, outcome: await outcome }) : receipt
}

/** An account of a forked network, before its first message. */
async function bringAccount(fork: ForkedAccounts, { external, share }: Sent): Promise<void> {
  const { workchain, account, message } = external
  await fork.bring([{ workchain, id: account }], [message], share)
}

async function tryOut(parts: SendingParts, sent: Sent): Promise<void> {
  const { moment, upcomingUtime } = parts.chain
  const rejection = await parts.trial.run(moment, sent.external, { now: upcomingUtime, share: sent.share })
  if (rejection !== null) throw await explain(parts, sent, rejection)
}

async function answer(
  parts: SendingParts,
  { sent, receipt, outcome }: { sent: Sent; receipt: Receipt; outcome: ExternalOutcome },
): Promise<Receipt> {
  if (outcome.kind === 'dropped') {
    const { cause } = outcome
    throw cause instanceof LogFull || cause instanceof LogBroken ? cause : refused('dropped', outcome.why)
  }
  if (outcome.kind === 'rejected') throw await explain(parts, sent, outcome.rejection)
  return receipt
}

/** The refusal with the full text of the node; runs the message again with the TVM's log switched on. */
async function explain({ chain, trial }: SendingParts, sent: Sent, rejection: Rejection): Promise<Error> {
  const { moment, upcomingUtime } = chain
  const { external, share } = sent
  if (isAbsent(accountOfMoment(moment, external).account)) return refused('noAccount', 'Failed to unpack account state')
  if (rejection.exitCode === null) return refusalOf(external, rejection, { log: rejection.vmLog })
  const again = await trial.run(moment, external, { now: upcomingUtime, verbosity: STEPS_IN_LOG, share })
  const isSame = again !== null && again.exitCode === rejection.exitCode
  const hint = clockHint(external, rejection.exitCode, chain.clocks)
  return refusalOf(external, rejection, { log: isSame ? again.vmLog : rejection.vmLog, hint })
}
