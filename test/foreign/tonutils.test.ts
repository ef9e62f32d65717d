// tonutils-go, an implementation of its own: our client with its server, and its client with our listener.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { Identity } from '../../server/node/adnl/adnlIdentity.ts'
import { type AdnlConnection, connectAdnl, createAdnlListener } from '../../server/node/adnl/index.ts'
import {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeRefusal,
  encodeRequest,
  type FunctionName,
  type Requests,
  unwrapQuery,
  wrapQuery,
} from '../../server/tl/index.ts'
import { buildGo, lastLine } from '../setup/foreignTools.ts'
import { freePort } from '../setup/freePort.ts'
import { Random } from '../setup/random.ts'
import { run } from '../setup/runningService.ts'

const HOST = '127.0.0.1'
const folder = mkdtempSync(join(tmpdir(), 'tonrpc-tonutils-'))
const program = join(folder, 'tonutils')
let missing = ''

beforeAll(async () => {
  const built = await buildGo(join(import.meta.dirname, 'tonutils'), '.', program)
  if (built.code !== 0) missing = lastLine(built)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function requireProgram(context: TestContext): void {
  if (missing !== '') context.skip(`no tonutils-go here: ${missing}`)
}

/** Free a moment ago: the server of tonutils-go cannot say which port it got. */
async function connectToServer(): Promise<AdnlConnection> {
  const seed = new Random(1).hash()
  const port = await freePort()
  const server = run(program, ['serve', `${HOST}:${port}`, Buffer.from(seed).toString('hex')])
  onTestFinished(async () => void (await server[Symbol.asyncDispose]()))
  await server.says(/serving/)
  const { key } = Identity.fromSeed(seed)
  const limits = { queryMs: 60_000 }
  return vi.waitFor(() => connectAdnl({ host: HOST, port, key, limits }), { timeout: 300_000, interval: 50 })
}

const hash = new Random(2).hash()
const id = { workchain: -1, shard: -(2n ** 63n), seqno: 17, root_hash: hash, file_hash: new Uint8Array(32).fill(9) }
const shortId = { workchain: 0, shard: 2n ** 62n, seqno: 5 }
const account = { workchain: 0, id: hash }

/** Of each function tonutils-go reads and its server does not answer. */
const requests: Partial<Requests> = {
  getMasterchainInfo: {},
  getMasterchainInfoExt: { mode: 3 },
  getBlockHeader: { id, mode: 0xffff },
  getAccountState: { id, account },
  getAccountStatePrunned: { id, account },
  runSmcMethod: { mode: 4, id, account, method_id: 85_143n, params: new Uint8Array() },
  getShardInfo: { id, workchain: 0, shard: -(2n ** 63n), exact: true },
  getAllShardsInfo: { id },
  getOneTransaction: { id, account, lt: 77n },
  getTransactions: { count: 16, account, lt: 2n ** 62n, hash },
  lookupBlock: { mode: 2, id: shortId, lt: 5n },
  listBlockTransactions: { id, mode: 7 + 32 + 64, count: 3, after: { account: hash, lt: 4n } },
  listBlockTransactionsExt: { id, mode: 0, count: 256 },
  getBlockProof: { mode: 0x1001, known_block: id, target_block: { ...id, seqno: 18 } },
  getConfigAll: { mode: 0x3ff, id },
  getConfigParams: { mode: 0, id, param_list: [0, -1, 34] },
  getLibraries: { library_list: [hash, hash] },
  getShardBlockProof: { id },
  getState: { id },
  lookupBlockWithProof: { mode: 4, id: shortId, mc_block_id: id, utime: 1_700_000_000 },
  getValidatorStats: { mode: 5, id, limit: 10, start_after: hash, modified_after: 7 },
  getLibrariesWithProof: { id, mode: 1, library_list: [hash] },
  getOutMsgQueueSizes: { mode: 1, wc: 0, shard: 2n ** 62n },
  getBlockOutMsgQueueSize: { mode: 1, id, want_proof: true },
  getDispatchQueueInfo: { mode: 3, id, after_addr: hash, max_accounts: 64, want_proof: true },
  getDispatchQueueMessages: {
    mode: 7,
    id,
    addr: hash,
    after_lt: 5n,
    max_messages: 16,
    want_proof: true,
    one_account: true,
    messages_boc: true,
  },
  sendMessage: { body: new Uint8Array(70_000).fill(1) },
}

describe('its server', () => {
  test('reads every request as we wrote it', async (context) => {
    requireProgram(context)
    const connection = await connectToServer()
    for (const [name, value] of Object.entries(requests)) {
      const request = encodeRequest(name as FunctionName, value as never)
      const { refusal } = decodeAnswer(name as FunctionName, await connection.query(wrapQuery(request)))
      const [type = '', written] = refusal?.message.split(' ') ?? []
      expect([name, type.replace(/^ton\./, '').length > 0, written]).toEqual([
        name,
        true,
        Buffer.from(request).toString('hex'),
      ])
    }
    connection.close()
  })

  test('answers are read, and signing is taken', async (context) => {
    requireProgram(context)
    const connection = await connectToServer()
    const time = await connection.query(wrapQuery(encodeRequest('getTime', {})))
    expect(decodeAnswer('getTime', time)).toEqual({ answer: { now: 1_700_000_000 } })
    // A signature that it cannot read ends the connection.
    await expect.poll(() => connection.stats().isAuthenticated).toBe(true)
    const version = await connection.query(wrapQuery(encodeRequest('getVersion', {})))
    expect(decodeAnswer('getVersion', version)).toEqual({
      answer: { mode: 0, version: 0x101, capabilities: 15n, now: 6 },
    })
    connection.close()
  })

  test('large answers, many at once', async (context) => {
    requireProgram(context)
    const connection = await connectToServer()
    const sizes = [0, 1, 253, 254, 65_536, 1_000_000, 3_000_000, 12_000_000]
    const answers = sizes.map(async (seqno) => {
      const request = encodeRequest('getBlock', { id: { ...id, seqno } })
      return decodeAnswer('getBlock', await connection.query(wrapQuery(request)))
    })
    for (const [i, { answer }] of (await Promise.all(answers)).entries()) {
      expect(answer?.data.length).toBe(sizes[i])
      expect(answer?.data.every((byte) => byte === 7)).toBe(true)
      expect(Buffer.compare(answer?.id.root_hash ?? new Uint8Array(), hash)).toBe(0)
    }
    connection.close()
  })
})

test('its client', async (context) => {
  requireProgram(context)
  const signed: boolean[] = []
  const listener = await createAdnlListener({
    host: HOST,
    port: 0,
    seed: new Random(3).hash(),
    onQuery: async (bytes, { keyId }) => {
      signed.push(keyId !== null)
      const { name, value } = decodeRequest(unwrapQuery(bytes).request)
      if (name !== 'getBlock') return encodeRefusal({ code: -400, message: name })
      return encodeAnswer('getBlock', { id: value.id, data: new Uint8Array(value.id.seqno) })
    },
  })
  onTestFinished(() => listener.close())
  const key = Buffer.from(listener.key).toString('base64')
  await using client = run(program, ['query', `${HOST}:${listener.port}`, key])
  const { code } = await client.ended
  expect([code, client.stdout().trim()], client.stderr()).toEqual([0, 'all answered'])
  expect(signed).toHaveLength(40)
  expect(listener.stats().ended.protocol).toBe(0)
})
