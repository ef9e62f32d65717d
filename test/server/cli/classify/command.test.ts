// `tonrpc classify`: a trace out of a file, and what is said when there is none.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import { classifyCommand } from '../../../../server/cli/classify/command.ts'

const A = `0:${'A'.repeat(64)}`
const B = `0:${'B'.repeat(64)}`

async function run(...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await classifyCommand.run(argv, {
    env: {},
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

function fileOf(json: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'classify-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'trace.json')
  writeFileSync(path, JSON.stringify(json))
  return path
}

/** A trace of one transfer with a comment. */
function transferFile(text: string): string {
  const comment = beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).end()
  const received = {
    msg_hash: 'bQ==',
    direction: 'in',
    source: A,
    destination: B,
    value: 5_000_000_000,
    opcode: 0,
    bounce: true,
    created_lt: 1,
    created_at: 1_700_000_000,
    value_extra_currencies: {},
    message_content: { body: Buffer.from(writeBoc(comment)).toString('base64') },
  }
  const transaction = {
    hash: 'dA==',
    account: B,
    lt: 2,
    now: 1_700_000_000,
    orig_status: 'active',
    end_status: 'active',
    descr: 'ord',
    aborted: false,
    compute_mode: 0,
    compute_exit_code: 0,
    messages: [received],
  }
  const ends = { start_lt: 2, end_lt: 2, start_utime: 1_700_000_000, end_utime: 1_700_000_000, mc_seqno_end: 1 }
  return fileOf({ trace: { trace_id: 'dA==', ...ends }, transactions: [transaction], interfaces: {} })
}

test('a trace of a file is a tree, its lines numbered by the actions below', async () => {
  const { code, out } = await run(transferFile('good day'))
  expect(code).toBe(0)
  expect(out.split('\n').slice(0, 4)).toEqual([
    'trace dA==',
    '0:AAAAAAAA -> 0:BBBBBBBB: text, 5 TON  [1]',
    '',
    '1. ton_transfer',
  ])
  expect(out).toContain('comment: "good day"')
})

test('a comment of a stranger does not move the cursor of a terminal', async () => {
  const { out } = await run(transferFile('a\u001b[2Jb\u009b2Jc\u202ed'))
  expect(out).toContain('comment: "a\\u001b[2Jb?2Jc?d"')
})

test('what cannot be shown is said in a line', async () => {
  const noTrace = { code: 1, out: '', err: expect.stringContaining('is no file of a trace') }
  for (const json of [{ traces: [{ trace_id: 'dA==', transactions: {} }] }, { trace: {} }, [], null])
    expect(await run(fileOf(json))).toMatchObject(noTrace)
  expect(await run('missing.json', '--url', 'http://127.0.0.1:1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no file missing.json, and a hash has 64 hex digits or is base64'),
  })
  const away = await run('A'.repeat(64), '--url', 'http://127.0.0.1:1')
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining('no service answers at http://127.0.0.1:1') })
  expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining('classify needs TRACE') })
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('usage: tonrpc classify TRACE') })
})

test('the refusal of a service is shown without what moves the cursor', async () => {
  const server = createServer((_, res) => {
    res.statusCode = 404
    res.end(JSON.stringify({ error: 'no such \u001b[2Jtrace' }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await run('ab'.repeat(32), '--url', `http://127.0.0.1:${port}`)).toEqual({
    code: 1,
    out: '',
    err: 'tonrpc: traces: no such ?[2Jtrace',
  })
})
