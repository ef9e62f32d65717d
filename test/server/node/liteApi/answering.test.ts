// Queries as other clients send them, and malformed ones: how the lite server answers each.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDevchainLiteServer } from '../../../../server/devchain/index.ts'
import {
  answerLiteQuery,
  type BlockIdExt,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
} from '../../../../server/node/index.ts'
import { createLiteServerOver } from '../../../../server/node/liteApi/index.ts'
import {
  type Answers,
  decodeAnswer,
  decodeRequest,
  encodeRefusal,
  encodeRequest,
  type FunctionName,
  type Requests,
  unwrapQuery,
  wrapQuery,
} from '../../../../server/tl/index.ts'
import { type LiteScene, openScene } from './scene.ts'

let scene: LiteScene
let server: LiteServer
beforeAll(async () => {
  scene = await openScene({ messages: 6, seed: 72 })
  server = createDevchainLiteServer(scene.chain, { pool: scene.pool })
})
afterAll(() => scene.close())

type Options = Parameters<typeof answerLiteQuery>[2]
type Wait = { readonly seqno: number; readonly timeout_ms: number }

async function ask<Name extends FunctionName>(
  name: Name,
  request: Requests[Name],
  { wait = null, ...options }: Options & { readonly wait?: Wait | null } = {},
): Promise<Answers[Name] | string> {
  const bytes = await answerLiteQuery(server, wrapQuery(encodeRequest(name, request), wait), options)
  if (bytes === null) return 'silence'
  const { answer, refusal } = decodeAnswer(name, bytes)
  return refusal === undefined ? answer : `${refusal.code} ${refusal.message}`
}

async function askBytes(query: Uint8Array): Promise<string> {
  const bytes = await answerLiteQuery(server, query)
  if (bytes === null) return 'silence'
  const { refusal } = decodeAnswer('getTime', bytes)
  return refusal === undefined ? 'answered' : `${refusal.code} ${refusal.message}`
}

const wireId = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) => ({
  workchain,
  shard,
  seqno,
  root_hash: rootHash,
  file_hash: fileHash,
})
const head = () => scene.chain.head().master.id
const newest = {
  workchain: MASTERCHAIN,
  shard: 1n << 63n,
  seqno: -1,
  root_hash: new Uint8Array(32),
  file_hash: new Uint8Array(32),
}
const elector = { workchain: MASTERCHAIN, id: new Uint8Array(32).fill(0x33) }
const hex = (text: string): Uint8Array => Buffer.from(text, 'hex')

describe('habits of clients', () => {
  test('behavior: seqno -1 is the newest block, whatever the hashes are', async () => {
    const account = await ask('getAccountState', { id: newest, account: elector })
    expect(account).toMatchObject({ id: { seqno: head().seqno } })
    const run = await ask('runSmcMethod', {
      mode: 7,
      id: newest,
      account: elector,
      method_id: 86_535n,
      params: new Uint8Array(),
    })
    expect(run).toMatchObject({ mode: 7, id: { seqno: head().seqno } })
  })

  test('behavior: a bare wait is answered with code 0 once the block is there', async () => {
    const wait = { seqno: head().seqno, timeout_ms: 1000 }
    expect(await askBytes(wrapQuery(new Uint8Array(), wait))).toBe('0 Not enough data to read at 0')
  })

  test('error: a second wait, or a query inside of a query', async () => {
    const wait = { seqno: head().seqno, timeout_ms: 1000 }
    const bareWait = wrapQuery(new Uint8Array(), wait).subarray(5, 17)
    const wrapped = wrapQuery(encodeRequest('getTime', {}))
    expect(await askBytes(wrapQuery(bareWait, wait))).toBe('621 unknown query')
    expect(await askBytes(wrapQuery(wrapped, wait))).toBe('621 unknown query')
    expect(await askBytes(wrapQuery(hex('86e6d372')))).toBe('621 unknown query')
    const beforeRequest = Buffer.concat([bareWait, encodeRequest('getTime', {})])
    expect(await askBytes(wrapQuery(beforeRequest, wait))).toBe('0 Too much data to fetch at 12')
  })

  test('error: a wait that is too late, or too far', async () => {
    const { seqno } = head()
    expect(await ask('getTime', {}, { wait: { seqno: seqno + 50, timeout_ms: 1 } })).toBe('652 timeout')
    expect(await ask('getTime', {}, { wait: { seqno: seqno + 101, timeout_ms: 1000 } })).toBe(
      '651 too big masterchain block seqno',
    )
    // Seqnos are unsigned, here as on the node.
    expect(await ask('getTime', {}, { wait: { seqno: -5, timeout_ms: 1000 } })).toBe(
      '651 too big masterchain block seqno',
    )
    expect(await ask('getTime', {}, { wait: { seqno, timeout_ms: -1 } })).toMatchObject({ now: expect.any(Number) })
  })

  test('behavior: a prefix in place of the wrapper', async () => {
    const prefix = hex('86e6d372')
    expect(await askBytes(Buffer.concat([prefix, encodeRequest('getTime', {})]))).toBe('answered')
  })

  test('behavior: bits of the mode come back, and lists have the requested parts', async () => {
    const list = await ask('listBlockTransactions', { id: wireId(head()), mode: 2 | 32, count: 3 })
    expect(list).toMatchObject({ ids: expect.arrayContaining([{ mode: 34, lt: expect.any(BigInt) }]) })
    expect(await ask('getMasterchainInfoExt', { mode: 1 })).toMatchObject({ mode: 1, version: 0x101 })
    const id = { workchain: MASTERCHAIN, shard: 1n << 63n, seqno: 2 }
    expect(await ask('lookupBlock', { mode: 0x1f1, id })).toMatchObject({ mode: 0x1f })
    const known = { mc_block_id: wireId(head()) }
    expect(await ask('lookupBlockWithProof', { mode: 0x1f1, id, ...known })).toMatchObject({ mode: 0x1f1 })
  })

  test('behavior: clock and version', async () => {
    expect(await ask('getVersion', {})).toMatchObject({ version: 0x101, capabilities: 15n })
    expect(await ask('getMasterchainInfo', {})).toMatchObject({ last: { seqno: head().seqno } })
  })
})

test('behavior: of a server without the newer form of the head, the older one is read', async () => {
  const requested: string[] = []
  const older = createLiteServerOver(async (query) => {
    const { request } = unwrapQuery(query)
    const { name } = decodeRequest(request)
    requested.push(name)
    if (name === 'getMasterchainInfoExt') return encodeRefusal({ code: 621, message: 'unknown query' })
    return (await answerLiteQuery(server, query)) ?? new Uint8Array()
  })
  const { now: _, ...expected } = await server.masterchainInfo()
  for (const options of [{}, { waitSeqno: 2 }]) expect(await older.masterchainInfo(options)).toMatchObject(expected)
  expect(requested.filter((name) => name === 'getMasterchainInfoExt')).toHaveLength(1)
})

describe('what is refused', () => {
  test('error: bytes that are no query are left unanswered', async () => {
    for (const bytes of ['', '00', 'deadbeef', 'df068c7904345aad16']) expect(await askBytes(hex(bytes))).toBe('silence')
  })

  test('error: an unknown function, a cut one, and one with more behind it', async () => {
    const query = (request: Uint8Array): Promise<string> => askBytes(wrapQuery(request))
    expect(await query(hex('deadbeef'))).toBe('0 Unknown constructor found 0xefbeadde at 4')
    const request = encodeRequest('getBlock', { id: wireId(head()) })
    expect(await query(request.subarray(0, 20))).toMatch(/^0 Not enough data to read at /)
    expect(await query(Buffer.concat([encodeRequest('getTime', {}), hex('00000000')]))).toBe(
      '0 Too much data to fetch at 4',
    )
  })

  test('error: modes that make no sense', async () => {
    const id = { workchain: MASTERCHAIN, shard: 1n << 63n, seqno: 2 }
    const text = '-400 exactly one of mode.0, mode.1 and mode.2 bits must be set'
    expect(await ask('lookupBlock', { mode: 0, id })).toBe(text)
    expect(await ask('lookupBlock', { mode: 3, id, lt: 5n })).toBe(text)
    expect(await ask('lookupBlockWithProof', { mode: 6, id, lt: 1n, utime: 1, mc_block_id: wireId(head()) })).toBe(text)
    expect(await ask('getMasterchainInfoExt', { mode: 2 })).toBe('-400 unsupported getMasterchainInfo mode')
    expect(await ask('getValidatorStats', { mode: 8, id: wireId(head()), limit: 1 })).toBe(
      '-400 unknown flags set in mode',
    )
    expect(await ask('nonfinal.getPendingShardBlocks', { mode: 0 })).toBe('0 query is not allowed')
    const run = { mode: 4, id: newest, account: elector, method_id: 1n << 40n, params: new Uint8Array() }
    expect(await ask('runSmcMethod', run)).toMatch(/^-400 .* is no id of a get-method$/)
  })

  test('error: what a rule of the caller forbids', async () => {
    const admit = (name: FunctionName): void => {
      if (name === 'sendMessage') throw new LiteError(228, 'too many')
    }
    expect(await ask('sendMessage', { body: hex('00') }, { admit })).toBe('228 too many')
    expect(await ask('getTime', {}, { admit })).toMatchObject({ now: expect.any(Number) })
  })

  test('behavior: a wait is one of its caller, like the answer after it', async () => {
    const shares: unknown[] = []
    const shared: LiteServer = {
      ...server,
      waitMasterchainSeqno: async (_, options) => void shares.push(options?.share),
      masterchainInfo: (options) => {
        shares.push(options?.share)
        return server.masterchainInfo(options)
      },
    }
    const query = wrapQuery(encodeRequest('getTime', {}), { seqno: 1, timeout_ms: 10 })
    await answerLiteQuery(shared, query, { share: '192.0.2.1' })
    expect(shares).toEqual(['192.0.2.1', '192.0.2.1'])
  })

  test('error: what takes too long, and a caller who leaves', async () => {
    const never = { ...server, header: () => new Promise<never>(() => undefined) }
    const query = wrapQuery(encodeRequest('getBlockHeader', { id: wireId(head()), mode: 0 }))
    const refusalOf = (bytes: Uint8Array | null) => bytes && decodeAnswer('getBlockHeader', bytes).refusal
    expect(refusalOf(await answerLiteQuery(never, query, { limitMs: 5 }))).toEqual({ code: -503, message: 'timeout' })
    const leaving = new AbortController()
    const answer = answerLiteQuery(never, query, { signal: leaving.signal })
    leaving.abort()
    expect(refusalOf(await answer)).toMatchObject({ code: 653 })
  })

  test('error: faults of the program are reported, and show nothing of themselves', async () => {
    const faults: unknown[] = []
    const broken = { ...server, shards: () => Promise.reject(new Error('/secret/path')) }
    const query = wrapQuery(encodeRequest('getAllShardsInfo', { id: wireId(head()) }))
    const onFault = (name: FunctionName | null, error: unknown): unknown => faults.push([name, String(error)])
    const bytes = await answerLiteQuery(broken, query, { onFault })
    expect(bytes && decodeAnswer('getAllShardsInfo', bytes).refusal).toEqual({
      code: -503,
      message: 'internal error in getAllShardsInfo: the log of the server has the cause',
    })
    expect(faults).toEqual([['getAllShardsInfo', 'Error: /secret/path']])
  })

  test('error: an answer that fits no frame', async () => {
    const large = { ...server, block: () => Promise.resolve(new Uint8Array(2 ** 24 - 200)) }
    const query = wrapQuery(encodeRequest('getBlock', { id: wireId(head()) }))
    const bytes = await answerLiteQuery(large, query)
    expect(bytes && decodeAnswer('getBlock', bytes).refusal).toEqual({ code: -400, message: 'answer is too large' })
  })
})

test('error: a refusal of megabytes is cut: logs, readiness and callers are told what is left', async () => {
  const wordy = (message: string) =>
    createLiteServerOver(async () => encodeRefusal({ code: -400, message })).masterchainInfo()
  const usual = `cannot load block: ${'x'.repeat(8_000)}`
  await expect(wordy(usual)).rejects.toMatchObject({ code: -400, message: usual, isMissing: true })
  const long = await wordy(`cannot load block: ${'x'.repeat(1 << 20)}`).catch((error: LiteError) => error)
  expect(long).toMatchObject({ code: -400, isMissing: true })
  expect(String(long).length).toBeLessThan(20_000)
})
