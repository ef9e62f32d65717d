// What the explorer makes of every trace of the demo: balances that add up, fees phase by phase, sentences.

import { beforeAll, describe, expect, test } from 'vitest'
import { plainSentence, sentenceOf } from '../../../client/explorer/actions/sentence.ts'
import { walk } from '../../../client/explorer/trace/layout.ts'
import { type Trace, traceModel, valueFlow } from '../../../client/explorer/trace/model.ts'
import { phasesOf } from '../../../client/explorer/trace/phases.ts'
import { createClient } from '../../../client/index.ts'
import { actionWords, computeWords } from '../../../shared/exitCodes.ts'
import { forAllTests, serve } from '../../setup/service.ts'

const ROOM_MS = 240_000
const service = forAllTests(() => serve({ withIndex: true, config: { seed: 'demo' } }))
const traces: Trace[] = []

beforeAll(async () => {
  const client = createClient({ url: service().url, timeoutMs: ROOM_MS })
  // What changes the chain waits for the end of the demo.
  const { seqno } = await client.dev.mine({ blocks: 1 })
  for (let indexed = 0; indexed < seqno; ) indexed = (await client.v3.masterchainInfo()).last.seqno
  for await (const trace of client.v3.traces.each({ limit: 100, include_actions: true })) traces.push(trace)
}, ROOM_MS)

const transactionsOf = (trace: Trace) => Object.values(trace.transactions ?? {})

describe('every trace', () => {
  test('has TON that adds up: what accounts gained, fees, what entered', () => {
    const known = traces.map((trace) => valueFlow(trace)).filter(({ rest }) => rest !== null)
    expect(known.length).toBeGreaterThan(100)
    const wrong = known.filter(
      ({ rest, flows }) => rest !== 0n && !flows.some(({ account }) => account.startsWith('-1:')),
    )
    expect(wrong).toEqual([])
    expect(known.some(({ fees }) => fees > 0n)).toBe(true)
  })

  test('has phases whose fees are those of the transaction', () => {
    const all = traces.flatMap(transactionsOf)
    expect(all.length).toBeGreaterThan(300)
    const wrong = all.filter((one) => phasesOf(one).reduce((sum, { fee }) => sum + fee, 0n) !== BigInt(one.total_fees))
    expect(wrong.map(({ hash, description, total_fees }) => ({ hash, total_fees, description }))).toEqual([])
  })

  test('has a tree with all its transactions, and says when one failed', () => {
    const wrong = traces.filter((trace) => {
      const { root, size, status, cause } = traceModel(trace)
      const steps = root === null ? [] : [...walk(root)]
      const failed = transactionsOf(trace).some(({ description: { compute_ph: compute, action } }) =>
        Boolean((compute?.skipped === false && !compute.success) || action?.success === false),
      )
      const isSaid = !failed || (status !== 'success' && cause?.outcome === 'failed')
      return steps.length !== trace.trace_info.transactions || size !== steps.length || !isSaid
    })
    expect(wrong.map(({ trace_id }) => trace_id)).toEqual([])
    expect(new Set(traces.map((trace) => traceModel(trace).status))).toContain('success')
  })

  test('has a sentence for each action', () => {
    const actions = traces.flatMap((trace) => trace.actions ?? [])
    const types = new Set(actions.map(({ type }) => type))
    expect(types.size).toBeGreaterThan(30)
    const written = actions.map((action) =>
      plainSentence(sentenceOf(action), (part) =>
        'amount' in part ? part.amount : 'quote' in part ? part.quote : '#',
      ),
    )
    expect(written.filter((text) => /undefined|null|NaN|\bsome\b/.test(text))).toEqual([])
  })
})

test.each([
  [computeWords(0).text, 'success'],
  [computeWords(36).text, 'unknown code'],
  [computeWords(36, ['wallet_v4r2']).text, 'message expired'],
  [computeWords(133, ['wallet_v5r1']).text, 'wrong seqno'],
  [computeWords(133).text, 'contract stopped'],
  [computeWords(777).text, 'an error of the contract itself'],
  [computeWords(-14).text, 'out of gas'],
  [actionWords(37).text, 'not enough TON'],
])('%s', (text, expected) => expect(text).toBe(expected))
