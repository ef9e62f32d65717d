// A message as the store keeps it.

import { type Cell, hashToBytes, openCell } from '../../cell/index.ts'
import type { MessageRow, TransactionRow, WrittenMessage } from '../../store/index.ts'
import {
  type ExternalInInfo,
  type ExternalOutInfo,
  type InternalInfo,
  loadMessage,
  type Message,
  normalizedHash,
  storeStateInit,
  toCell,
} from '../../tlb/index.ts'
import { addressKey } from './accountKey.ts'
import { INT64_MAX, storableLt } from './bounds.ts'
import type { ParseBudget } from './parseBudget.ts'

/** From here on a message has flags where it had a fee for instant routing, which was never used. */
const FLAGS_SINCE = 12
const OPCODE_BITS = 32

export interface MessageContext {
  readonly budget: ParseBudget
  /** The protocol in force. */
  readonly globalVersion: number
}

type Head = Omit<MessageRow, 'hash' | 'hashNorm' | 'opcode' | 'bodyHash' | 'body' | 'initHash' | 'init' | 'outTxHash'>

const NOTHING = {
  source: null,
  destination: null,
  value: null,
  valueExtra: null,
  fwdFee: null,
  ihrFee: null,
  extraFlags: null,
  importFee: null,
  createdLt: null,
  createdAt: null,
  ihrDisabled: null,
  bounce: null,
  bounced: null,
} as const

function internalHead(info: InternalInfo, { budget, globalVersion }: MessageContext): Head {
  const hasFlags = globalVersion >= FLAGS_SINCE
  return {
    kind: 'internal',
    source: addressKey(info.src),
    destination: addressKey(info.dest),
    value: info.value.grams,
    valueExtra: budget.extra(info.value),
    fwdFee: info.fwdFee,
    ihrFee: hasFlags ? 0n : info.extraFlags,
    extraFlags: hasFlags ? info.extraFlags : null,
    importFee: null,
    createdLt: storableLt(info.createdLt),
    createdAt: info.createdAt,
    ihrDisabled: info.ihrDisabled,
    bounce: info.bounce,
    bounced: info.bounced,
  }
}

const inHead = ({ dest, importFee }: ExternalInInfo): Head => ({
  kind: 'externalIn',
  ...NOTHING,
  destination: addressKey(dest),
  importFee: importFee > INT64_MAX ? null : importFee,
})

const outHead = ({ src, createdLt, createdAt }: ExternalOutInfo): Head => ({
  kind: 'externalOut',
  ...NOTHING,
  source: addressKey(src),
  createdLt: storableLt(createdLt),
  createdAt,
})

function headOf({ info }: Message, context: MessageContext): Head {
  if (info.kind === 'internal') return internalHead(info, context)
  return info.kind === 'externalIn' ? inHead(info) : outHead(info)
}

/** Null when the message is written the normalised way already. */
function normalOf(message: Message, cell: Cell): Uint8Array | null {
  if (message.info.kind !== 'externalIn') return null
  const normal = normalizedHash(message)
  return normal === cell.hash() ? null : hashToBytes(normal)
}

const opcodeOf = (body: Cell): number | null =>
  body.isExotic || body.bits < OPCODE_BITS ? null : openCell(body).loadInt(OPCODE_BITS)

/** The transaction that sends a message. */
export type SendingTransaction = Pick<TransactionRow, 'hash' | 'lt'>

/** The row of a message, with who sent it where that is known. */
export function messageRow(cell: Cell, sender: SendingTransaction | null, context: MessageContext): WrittenMessage {
  const message = loadMessage(openCell(cell))
  const { body } = message
  const init = message.init === null ? null : toCell(message.init, storeStateInit)
  return {
    hash: cell.hashBytes(),
    hashNorm: normalOf(message, cell),
    opcode: opcodeOf(body),
    bodyHash: body.hashBytes(),
    body: context.budget.bocWithCrc(body),
    initHash: init === null ? null : init.hashBytes(),
    init: init === null ? null : context.budget.bocWithCrc(init),
    outTxHash: sender?.hash ?? null,
    outLt: sender?.lt ?? null,
    ...headOf(message, context),
  }
}
