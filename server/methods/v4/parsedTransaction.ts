// A transaction taken apart, as v4 shows it.

import type { ParsedAddress } from '../../../shared/address.ts'
import { base64Of, type Cell, type ExternalAddress, openCell, orNull, writeBocText } from '../../cell/index.ts'
import { SIGNED_V5 } from '../../interfaces/index.ts'
import { type AccountStatus, loadMessage, loadTransaction, type Message } from '../../tlb/index.ts'
import { bounceableText, endText, hashText } from '../view/texts.ts'
import { bodyOfV4, operationOf } from './operation.ts'

const STATUSES: Readonly<Record<AccountStatus, string>> = {
  uninit: 'uninitialized',
  nonexist: 'non-existing',
  frozen: 'frozen',
  active: 'active',
}

function externalOf(address: ExternalAddress | null) {
  if (address === null) return null
  const { bits, bytes } = address.address
  const value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`) >> BigInt(bytes.length * 8 - bits)
  return { bits, data: value.toString(16) }
}

function infoOf({ info }: Message) {
  if (info.kind === 'externalIn')
    return {
      type: 'external-in',
      dest: endText(info.dest),
      src: externalOf(info.src),
      importFee: String(info.importFee),
    }
  if (info.kind === 'externalOut') return { type: 'external-out', dest: externalOf(info.dest) }
  return {
    type: 'internal',
    value: String(info.value.grams),
    dest: endText(info.dest),
    src: endText(info.src),
    bounced: info.bounced,
    bounce: info.bounce,
    ihrDisabled: info.ihrDisabled,
    createdAt: info.createdAt,
    createdLt: String(info.createdLt),
    fwdFee: String(info.fwdFee),
    ihrFee: '0',
  }
}

const bocOrNull = (cell: Cell | null): string | null => (cell === null ? null : writeBocText(cell))

function initOf({ init }: Message) {
  if (init === null) return null
  const { fixedPrefixLength: splitDepth, code, data, special } = init
  return { splitDepth, code: bocOrNull(code), data: bocOrNull(data), special }
}

const messageOf = (message: Message) => ({
  body: writeBocText(message.body),
  info: infoOf(message),
  init: initOf(message),
})

/** The seqno a wallet was called with: v3 and v4 sign in front, v5 behind; null for other bodies. */
function seqnoOf(body: Cell): number | null {
  return orNull(() => {
    const slice = openCell(body)
    slice.skip(slice.preloadUint(32) === SIGNED_V5 ? 32 : 512)
    return slice.skip(64).loadUint(32)
  })
}

/** Value received less value sent. */
function movedBy(received: Message | null, sent: readonly Message[]): bigint {
  let moved = received?.info.kind === 'internal' ? received.info.value.grams : 0n
  for (const { info } of sent) if (info.kind === 'internal') moved -= info.value.grams
  return moved
}

/** Accounts of the messages besides its own. */
function mentionedBy(own: string, received: Message | null, sent: readonly Message[]): string[] {
  const named = [
    received?.info.kind === 'internal' ? endText(received.info.src) : '',
    ...sent.map(({ info }) => (info.kind === 'internal' ? endText(info.dest) : '')),
  ]
  return [...new Set(named)].filter((one) => one !== '' && one !== own)
}

/** What it means to a person: an order of the owner with its first message, or a message that came. */
function meaningOf(own: string, received: Message | null, sent: readonly Message[]) {
  const isOrder = received?.info.kind === 'externalIn'
  const came = received?.info.kind === 'internal' ? received.info : null
  const first = isOrder ? sent.find(({ info }) => info.kind === 'internal') : undefined
  const dest = first?.info.kind === 'internal' ? endText(first.info.dest) : null
  const shown = isOrder ? first : came === null ? undefined : received
  return {
    seqno: isOrder ? seqnoOf(received.body) : null,
    body: shown ? bodyOfV4(shown.body) : null,
    status: isOrder && sent.length === 0 ? 'failed' : 'success',
    dest,
    kind: came === null ? 'out' : 'in',
    amount: String(movedBy(received, sent)),
    resolvedAddress: dest ?? (came === null ? own : endText(came.src)),
    bounced: came?.bounced ?? false,
    mentioned: mentionedBy(own, received, sent),
  }
}

export function parsedTransaction(cell: Cell, { workchain, hash }: Pick<ParsedAddress, 'workchain' | 'hash'>) {
  const known = loadTransaction(openCell(cell))
  const own = bounceableText(workchain, hash)
  const received = known.inMessage === null ? null : loadMessage(openCell(known.inMessage))
  const sent = [...known.outMessages].map(([, message]) => loadMessage(openCell(message)))
  const parsed = meaningOf(own, received, sent)
  return {
    address: own,
    lt: String(known.lt),
    hash: hashText(cell),
    prevTransaction: { lt: String(known.prevLt), hash: Buffer.from(known.prevHash).toString('hex') },
    time: known.now,
    outMessagesCount: known.outCount,
    oldStatus: STATUSES[known.origStatus],
    newStatus: STATUSES[known.endStatus],
    fees: String(known.totalFees.grams),
    update: { oldHash: base64Of(known.stateUpdate.before), newHash: base64Of(known.stateUpdate.after) },
    inMessage: received === null ? null : messageOf(received),
    outMessages: sent.map(messageOf),
    parsed,
    operation: operationOf(own, BigInt(parsed.amount), parsed.body),
  }
}
