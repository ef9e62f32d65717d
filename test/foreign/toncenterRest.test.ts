// The REST clients of the Python library for toncenter: every method it has, over the demo. Its models refuse an answer of
// another form, so what is parsed is what toncenter answers.

import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { installPip, python, type Tools } from '../setup/foreignTools.ts'
import { type DemoChain, startDemoChain } from './demoChain.ts'
import { gatherFacts } from './lite/facts.ts'

let tools: Tools
let chain: DemoChain
beforeAll(async () => {
  tools = await installPip(['toncenter==0.4.0'])
  chain = await startDemoChain()
})
afterAll(() => chain[Symbol.asyncDispose]())

/** What is not there has no answer of its own in toncenter, and these ask for it. */
const NOT_FOUND = ['v3 blockchain get_pending_transactions']

test('every method of v2 and v3 is answered in its form', async (context) => {
  tools.require(context)
  const { wallet, jetton, source, destination, created, messages, bodies, old } = await gatherFacts(chain.url)
  const client = createClient({ url: chain.url, timeoutMs: 300_000 })
  const { transactions } = await client.v3.transactions({
    account: [source],
    start_lt: String(BigInt(created) - 1n),
    sort: 'asc',
  })
  const [sent] = transactions
  const [message] = sent?.out_msgs ?? []
  const facts = {
    wallet,
    jetton,
    source,
    destination,
    created_lt: created,
    seqno: old,
    domain: 'alice.ton',
    hash: sent?.hash,
    msg_hash: message?.hash,
    body: bodies[0],
    bocs: messages,
  }
  const script = readFileSync(new URL('toncenter/useRest.py', import.meta.url), 'utf8')
  const { code, text } = await python(tools, tmpdir(), ['-c', script, chain.url, JSON.stringify(facts)])
  expect(code, text).toBe(0)
  const lines = text.trim().split('\n')
  expect(lines.length).toBeGreaterThan(70)
  expect(lines.filter((line) => !line.endsWith(' ok'))).toEqual(
    NOT_FOUND.map((name) => `${name} ToncenterNotFoundError HTTP 404: emulated traces not found`),
  )
})
