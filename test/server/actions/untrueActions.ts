// Finds what the actions of a trace show wrongly: amounts that did not move, assets and collections that do not exist, a success
// where the contract refused.

import { type ClassifiedAction, classifyTrace, type TraceMessage } from '../../../server/actions/index.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'
import { untrueClaims } from './untrueClaims.ts'

const ADDRESS = /^-?\d+:[0-9A-F]{64}$/
const PLAIN = ['call_contract', 'ton_transfer', 'contract_deploy', 'extra_currency_transfer']

/** Addresses in fields whose names hold a word, at any depth. */
function addressesIn(value: unknown, word: string, name = ''): string[] {
  if (typeof value === 'string') return name.includes(word) && ADDRESS.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => addressesIn(inner, word, Array.isArray(value) ? name : key))
}

/** All bytes of a message, from each of the eight bits on that a value may begin at. */
function shiftsOf({ body }: TraceMessage): Buffer[] {
  return Array.from({ length: 8 }, (_, shift) =>
    Buffer.from(body.map((byte, i) => (byte << shift) | ((body[i + 1] ?? 0) >> (8 - shift)))),
  )
}

function inventedAssets({ details }: ClassifiedAction, { trace, facts }: KnownTrace): string[] {
  const held = new Set(
    [...facts.values()].flatMap((one) => [one.jettonWallet?.jetton, ...(one.dedustPool?.assets ?? [])]),
  )
  const messages = trace.transactions.flatMap(({ inMessage, outMessages }) => [inMessage ?? [], ...outMessages].flat())
  const isNamed = (asset: string): boolean => {
    const id = Buffer.from(asset.slice(-64), 'hex')
    return messages.some((message) => shiftsOf(message).some((bytes) => bytes.includes(id)))
  }
  const isThere = (asset: string): boolean =>
    held.has(asset) || facts.has(asset) || trace.transactions.some(({ account }) => account === asset) || isNamed(asset)
  return addressesIn(details, 'asset').filter((asset) => !isThere(asset))
}

/** A collection has an item only where both say so. */
function inventedCollections({ details }: ClassifiedAction, { facts }: KnownTrace): string[] {
  const confirmed = new Set([...facts.values()].map(({ nftItem }) => nftItem?.collection))
  return addressesIn(details, 'nft_collection').filter((collection) => !confirmed.has(collection))
}

/** A new owner need not take note of the item. */
const REPORT = 0x05138d91

/** Whether the message that an action begins with came back. */
const isRefused = ({ startLt, transactions, type }: ClassifiedAction, { trace }: KnownTrace): boolean =>
  !PLAIN.includes(type) &&
  trace.transactions.some(
    ({ hash, aborted, inMessage }) =>
      aborted &&
      inMessage?.bounce === true &&
      inMessage.opcode !== REPORT &&
      inMessage.createdLt === startLt &&
      transactions.includes(hash),
  )

function untrueOf(action: ClassifiedAction, known: KnownTrace): string[] {
  const { type, success, transactions } = action
  const invented = [
    ...inventedAssets(action, known).map((asset) => `${type} invented ${asset}`),
    ...inventedCollections(action, known).map((collection) => `${type} invented the collection ${collection}`),
  ]
  if (!success || transactions.length === 0) return invented
  return [...invented, ...(isRefused(action, known) ? [`${type} was refused`] : []), ...untrueClaims(action, known)]
}

export interface Judged {
  /** Of what is shown as done. */
  readonly types: readonly string[]
  readonly untrue: readonly string[]
}

export function judged(known: KnownTrace): Judged {
  const { actions, failure } = classifyTrace(known.trace, known.facts)
  return {
    types: actions.filter(({ success }) => success).map(({ type }) => type),
    untrue: [...(failure === null ? [] : [String(failure)]), ...actions.flatMap((action) => untrueOf(action, known))],
  }
}
