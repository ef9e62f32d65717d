// A trace as the classifier takes it, out of rows.

import type { TraceInput, TraceMessage, TraceTransaction } from '../../actions/index.ts'
import { base64Of } from '../../cell/index.ts'
import type { AccountKey, MessageRow, TraceRow, TransactionFound, TransactionRow } from '../../store/index.ts'
import { accountKeyText } from '../parse/accountKey.ts'
import { parsedOutcome } from '../parse/outcome.ts'

/** What is read of a transaction. */
export type TracePart = Pick<TransactionFound, 'inMessage' | 'outMessages'> & {
  readonly row: Pick<TransactionRow, 'hash' | 'account' | 'lt' | 'now' | 'origStatus' | 'endStatus' | 'description'>
}

export type TraceHead = Pick<TraceRow, 'traceId' | 'startLt' | 'endLt' | 'startUtime' | 'endUtime' | 'mcSeqnoEnd'>

export const rawAddress = (key: AccountKey): string => accountKeyText(key).toUpperCase()

const end = (key: AccountKey | null): string | null => key && rawAddress(key)

const toMessage = (row: MessageRow): TraceMessage => ({
  hash: base64Of(row.hash),
  kind: row.kind,
  source: end(row.source),
  destination: end(row.destination),
  value: row.value,
  extraCurrencies: row.valueExtra ?? {},
  createdLt: row.createdLt,
  createdAt: row.createdAt,
  opcode: row.opcode === null ? null : row.opcode >>> 0,
  bounce: row.bounce === true,
  bounced: row.bounced === true,
  body: row.body,
  init: row.init,
})

/** A message occurs in a trace twice: at its sender and at its receiver. */
class Messages {
  readonly #made = new Map<MessageRow, TraceMessage>()

  of(row: MessageRow): TraceMessage {
    const before = this.#made.get(row)
    if (before !== undefined) return before
    const made = toMessage(row)
    this.#made.set(row, made)
    return made
  }
}

function toTransaction({ row, inMessage, outMessages }: TracePart, messages: Messages): TraceTransaction {
  return {
    hash: base64Of(row.hash),
    account: rawAddress(row.account),
    lt: row.lt,
    now: row.now,
    origStatus: row.origStatus,
    endStatus: row.endStatus,
    inMessage: inMessage && messages.of(inMessage),
    outMessages: outMessages.map((message) => messages.of(message)),
    ...parsedOutcome(row.description),
  }
}

/** Reads transactions of one trace. */
export function traceTransactions(): (part: TracePart) => TraceTransaction {
  const messages = new Messages()
  return (part) => toTransaction(part, messages)
}

/** `transactions` are those of the parts; a caller with other work to do reads them one by one. */
export function toTraceInput(
  head: TraceHead,
  parts: readonly TracePart[],
  transactions: readonly TraceTransaction[] = parts.map(traceTransactions()),
): TraceInput {
  const id = base64Of(head.traceId)
  const { startLt, endLt, startUtime, endUtime, mcSeqnoEnd } = head
  const opening = parts.find(({ row }) => base64Of(row.hash) === id)?.inMessage ?? null
  return {
    traceId: id,
    startLt,
    endLt,
    startUtime,
    endUtime,
    mcSeqnoEnd,
    transactions,
    externalHash: opening && base64Of(opening.hash),
    externalHashNorm: opening?.kind === 'externalIn' ? base64Of(opening.hashNorm ?? opening.hash) : null,
  }
}
