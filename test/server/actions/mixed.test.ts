// Traces that mix protocols as no recorded one does: what is shown as done was done, and what moved is what is said.

import { expect, test } from 'vitest'
import { type ClassifiedAction, classifyTrace, type TraceMessage } from '../../../server/actions/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'
import { mixedTraces } from './made/mixed.ts'
import { untrueClaims } from './untrueClaims.ts'

/** `TRACES=2000 SEED=another` tries new traces. */
const { SEED = '1000000', TRACES = '300' } = process.env

const ADDRESS = /^-?\d+:[0-9A-F]{64}$/
const PLAIN = ['call_contract', 'ton_transfer', 'contract_deploy', 'extra_currency_transfer']

/** What is shown as an asset: a field of that name, at any depth. */
function assetsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return name.includes('asset') && ADDRESS.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => assetsIn(inner, Array.isArray(value) ? name : key))
}

/** All bytes of a message, from each of the eight bits on that a value may begin at. */
function shiftsOf({ body }: TraceMessage): Buffer[] {
  return Array.from({ length: 8 }, (_, shift) =>
    Buffer.from(body.map((byte, i) => (byte << shift) | ((body[i + 1] ?? 0) >> (8 - shift)))),
  )
}

function inventedAssets({ details }: ClassifiedAction, { trace, facts }: KnownTrace): string[] {
  const held = new Set([...facts.values()].map(({ jettonWallet }) => jettonWallet?.jetton))
  const messages = trace.transactions.flatMap(({ inMessage, outMessages }) => [inMessage ?? [], ...outMessages].flat())
  const isNamed = (asset: string): boolean => {
    const id = Buffer.from(asset.slice(-64), 'hex')
    return messages.some((message) => shiftsOf(message).some((bytes) => bytes.includes(id)))
  }
  const isThere = (asset: string): boolean =>
    held.has(asset) || facts.has(asset) || trace.transactions.some(({ account }) => account === asset) || isNamed(asset)
  return assetsIn(details).filter((asset) => !isThere(asset))
}

/** Whether the message that an action begins with came back. */
const isRefused = ({ startLt, transactions, type }: ClassifiedAction, { trace }: KnownTrace): boolean =>
  !PLAIN.includes(type) &&
  trace.transactions.some(
    ({ hash, aborted, inMessage }) =>
      aborted && inMessage?.bounce === true && inMessage.createdLt === startLt && transactions.includes(hash),
  )

test('what is shown as done was done, and its amounts and assets are those that moved', () => {
  const untrue: string[] = []
  const types = new Set<string>()
  let count = 0
  for (const { name, file } of mixedTraces(SEED, Number(TRACES))) {
    const known = traceOfFile(file)
    const { actions, failure } = classifyTrace(known.trace, known.facts)
    if (failure !== null) untrue.push(`${name}: ${String(failure)}`)
    count++
    for (const action of actions) {
      for (const asset of inventedAssets(action, known)) untrue.push(`${name}: ${action.type} invented ${asset}`)
      if (!action.success || action.transactions.length === 0) continue
      types.add(action.type)
      if (isRefused(action, known)) untrue.push(`${name}: ${action.type} was refused`)
      for (const one of untrueClaims(action, known)) untrue.push(`${name}: ${one}`)
    }
  }
  expect(untrue).toEqual([])
  expect(count).toBe(Number(TRACES))
  expect(types.size).toBeGreaterThan(40)
})
