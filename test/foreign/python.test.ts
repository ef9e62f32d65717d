// Clients that a Python generator makes of both documents: nothing is left out, and they call a running service. And the streams
// of a Python client for toncenter.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { installPip, python } from '../setup/foreignTools.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { openWallet } from '../setup/streams.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonrpc-python-'))
const service = forAllTests(() => serve({ withIndex: true }))
const tools = await installPip(['openapi-python-client==0.29.1'])
const streams = await installPip(['toncenter==0.4.0'])
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function generate(version: 'v2' | 'v3'): Promise<string> {
  const document = await fetch(`${service().url}/openapi/${version}.json`)
  writeFileSync(join(folder, `${version}.json`), await document.text())
  const words = ['--path', `${version}.json`, '--output-path', join(folder, `ton_${version}`), '--meta', 'none']
  const { code, text } = await python(tools, folder, ['-m', 'openapi_python_client', 'generate', ...words])
  expect(code, text).toBe(0)
  return text
}

test('v2: nothing is left out, and calls come back as what they are', async (context) => {
  tools.require(context)
  expect(await generate('v2')).not.toMatch(/WARNING|Error/i)
  const { last } = await createClient({ url: service().url, timeoutMs: 300_000 }).getMasterchainInfo()
  const script = `
import sys
from ton_v2 import Client
from ton_v2.api.blocks import lookup_block_get
from ton_v2.api.get_methods import run_get_method_post
from ton_v2.models.run_get_method_post_body import RunGetMethodPostBody

client = Client(base_url=sys.argv[1])
block = lookup_block_get.sync(client=client, workchain=-1, shard="-9223372036854775808", seqno=int(sys.argv[2]))
print(block.ok, block.result.root_hash)
body = RunGetMethodPostBody.from_dict({"address": "-1:" + "33" * 32, "method": "active_election_id", "stack": []})
run = run_get_method_post.sync(client=client, body=body)
print(run.ok, run.result.exit_code, len(run.result.stack))
`
  const { text } = await python(tools, folder, ['-c', script, service().url, String(last.seqno)])
  expect(text.trim().split('\n')).toEqual([`True ${last.root_hash}`, 'True 0 1'])
})

test('v3: nothing is left out, and calls come back as what they are', async (context) => {
  tools.require(context)
  expect(await generate('v3')).not.toMatch(/WARNING|Error/i)
  const { last } = await createClient({ url: service().url, timeoutMs: 300_000 }).v3.masterchainInfo()
  const script = `
import sys
from ton_v3 import Client
from ton_v3.api.actions import actions_get
from ton_v3.api.blocks import blocks_get

client = Client(base_url=sys.argv[1])
page = blocks_get.sync(client=client, workchain=-1, seqno=int(sys.argv[2]))
print(page.blocks[0].seqno, page.blocks[0].root_hash)
print(type(actions_get.sync(client=client, limit=1).actions).__name__)
`
  const { text } = await python(tools, folder, ['-c', script, service().url, String(last.seqno)])
  expect(text.trim().split('\n')).toEqual([`${last.seqno} ${last.root_hash}`, 'list'])
})

const LISTENER = `
import asyncio, json, sys, urllib.request
from toncenter.streaming import ToncenterSSE, ToncenterWebSocket
from toncenter.types import Network

def send(url, boc):
    body = json.dumps({"boc": boc}).encode()
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url + "/api/v3/message", body, headers)) as reply:
        return json.load(reply)["message_hash_norm"]

async def listen(kind, url, address, boc):
    stream = kind("", Network.TESTNET, base_url=url)
    heard, last = [], asyncio.Event()
    stream.on_transactions(lambda one: heard.append((one.trace_external_hash_norm, one.type, one.finality)), min_finality="pending")
    stream.on_actions(lambda one: heard.append((one.actions[0]["type"], one.type, one.finality)), min_finality="pending")
    @stream.on_account_states(min_finality="finalized")
    def _(one):
        heard.append((one.state.balance, one.type, one.finality))
        last.set()
    running = asyncio.create_task(stream.start([address]))
    await stream.wait_subscribed(60)
    sent = await asyncio.to_thread(send, url, boc)
    await asyncio.wait_for(last.wait(), 60)
    await stream.stop()
    running.cancel()
    for what, kind, finality in heard:
        print("hash" if what == sent else what, kind, finality)

async def main(url, address, first, second):
    await listen(ToncenterSSE, url, address, first)
    await listen(ToncenterWebSocket, url, address, second)

asyncio.run(main(*sys.argv[1:]))
`

test('streams: each level of a transfer, over both transports', async (context) => {
  streams.require(context)
  const wallet = await openWallet(service())
  const to = `0:${'AB'.repeat(32)}`
  const words = ['-c', LISTENER, service().url, to, wallet.sign(to), wallet.sign(to)]
  const { code, text } = await python(streams, folder, words)
  expect(code, text).toBe(0)
  const levels = ['confirmed', 'finalized'].flatMap((level) => [
    `hash transactions ${level}`,
    `ton_transfer actions ${level}`,
  ])
  const lines = text.trim().split('\n')
  // A block may be there before its prediction is.
  const isOfBlock = (line: string): boolean => !/ pending$|account_state_change/.test(line)
  const balances = lines.flatMap((line) => /^(\d+) account_state_change finalized$/.exec(line)?.[1] ?? [])
  expect(lines.filter(isOfBlock)).toEqual([...levels, ...levels])
  expect(balances.map((balance) => Math.round(Number(balance) / 1e9))).toEqual([1, 2])
})
