// Blocks of the embedded chain through the service: found by every mark, with headers, signatures and proofs.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { Address, Cell } from '@ton/core'
import { configParseValidatorSet, TonClient } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { Shard } from '../../shared/primitives.ts'
import { ask, post } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

const shard = '-9223372036854775808'
const MASTER = { workchain: -1, shard } as const
const BASE = { workchain: 0, shard } as const
const FUTURE = 99_999_999
const RECEIVER = `0:${'5f'.repeat(32)}`
let newest = 0

beforeAll(async () => {
  await client().dev.faucet({ address: RECEIVER, amount: '5000' })
  newest = (await client().dev.mine({ blocks: 20 })).seqno
})

const statusOf = async (path: string) => (await ask(service(), `/api/v2/${path}`)).status

describe('lookupBlock', () => {
  test.each([MASTER, BASE])('every mark of a header leads back to its block: %o', async (chain) => {
    for (const seqno of [1, 2, 3, 10]) {
      const header = await client().getBlockHeader({ ...chain, seqno })
      expect(await client().lookupBlock({ ...chain, seqno })).toEqual(header.id)
      expect(await client().lookupBlock({ ...chain, lt: header.end_lt })).toEqual(header.id)
      const byTime = await client().lookupBlock({ ...chain, unixtime: header.gen_utime })
      expect((await client().getBlockHeader({ ...chain, seqno: byTime.seqno })).gen_utime).toBe(header.gen_utime)
      expect(byTime.seqno).toBeLessThanOrEqual(seqno)
    }
  })

  test('the start of time is the first block, and nothing is beyond the last', async () => {
    expect((await client().lookupBlock({ ...MASTER, unixtime: 0 })).seqno).toBe(1)
    expect((await client().lookupBlock({ ...MASTER, lt: '0' })).seqno).toBe(1)
    // The time of a block has 32 bits.
    for (const mark of [{ seqno: FUTURE }, { lt: '9223372036854775807' }, { unixtime: 2 ** 32 - 1 }])
      await expect(client().lookupBlock({ ...MASTER, ...mark })).rejects.toMatchObject({ kind: 'upstream' })
  })

  test('a shard may be spelled in every known way', async () => {
    const { id } = await client().getBlockHeader({ ...BASE, seqno: 1 })
    const forms = [shard, '9223372036854775808', '8000000000000000']
    for (const spelled of [...forms, 'C000000000000000'])
      expect(await statusOf(`lookupBlock?workchain=0&shard=${spelled}&seqno=1`)).toBe(200)
    // Which one is read shows only where a chain is split: that of sixteen digits is hexadecimal.
    expect(forms.map((spelled) => Shard.parse(spelled))).toEqual(forms.map(() => BigInt(shard)))
    expect(id.shard).toBe(shard)
  })

  test('0 is a prefix as well, in every call that takes a shard', async () => {
    const { id } = await client().getBlockHeader({ ...MASTER, seqno: 2 })
    const zero = { ...MASTER, shard: '0', seqno: 2 }
    expect(await client().lookupBlock(zero)).toEqual(id)
    expect((await client().getBlockHeader(zero)).id).toEqual(id)
    expect((await client().getBlockTransactionsExt(zero)).id).toEqual(id)
    expect((await client().getShardBlockProof({ ...zero, from_seqno: 10 })).mc_id).toEqual(id)
    expect((await client().lookupBlock({ ...BASE, shard: '0', unixtime: 0 })).shard).toBe(shard)
    const byNumber = await post(service(), '/api/v2/lookupBlock', { ...zero, shard: 0 })
    expect(byNumber.body.result).toEqual(id)
  })

  test('exactly one mark', async () => {
    const path = `lookupBlock?workchain=-1&shard=${shard}`
    const marks = [
      '',
      '&seqno=1&lt=1',
      '&lt=1&unixtime=1',
      '&seqno=1&lt=1&unixtime=1',
      '&seqno=0',
      '&lt=-1',
      '&unixtime=-1',
    ]
    for (const mark of marks) expect([mark, await statusOf(path + mark)]).toEqual([mark, 422])
    const { body } = await ask(service(), `/api/v2/${path}`)
    expect(body.error).toMatch(/exactly one of seqno, lt, unixtime should be specified$/)
    for (const missing of ['workchain=-1&seqno=1', `shard=${shard}&seqno=1`])
      expect(await statusOf(`lookupBlock?${missing}`)).toBe(422)
  })
})

describe('shards', () => {
  test('under both names', async () => {
    const { shards } = await client().shards({ seqno: newest })
    expect(await client().getShards({ seqno: newest })).toEqual({ '@type': 'blocks.shards', shards })
    expect(shards).toHaveLength(1)
    const [top] = shards
    expect(top).toMatchObject({ '@type': 'ton.blockIdExt', workchain: 0, shard })
    expect(top).toEqual(await client().lookupBlock({ ...BASE, seqno: top?.seqno ?? 0 }))
  })

  test('of a block that is not there yet', async () => {
    for (const name of ['shards', 'getShards']) {
      expect(await statusOf(`${name}?seqno=${FUTURE}`)).toBe(500)
      for (const seqno of ['seqno=0', 'seqno=-1', 'seqno=x', '']) expect(await statusOf(`${name}?${seqno}`)).toBe(422)
    }
  })
})

describe('getBlockHeader', () => {
  test.each([MASTER, BASE])('names the block before, all the way down: %o', async (chain) => {
    let header = await client().getBlockHeader({ ...chain, seqno: 3 })
    for (let seqno = 2; seqno > 0; seqno--) {
      const [before, ...others] = header.prev_blocks
      expect(others).toEqual([])
      const previous = await client().getBlockHeader({ ...chain, seqno })
      expect(previous.id).toEqual(before)
      expect(BigInt(previous.end_lt)).toBeLessThanOrEqual(BigInt(header.start_lt))
      header = previous
    }
    expect(header.prev_blocks).toEqual([expect.objectContaining({ seqno: 0, workchain: chain.workchain, shard })])
  })

  test('the facts of a header', async () => {
    const { utime } = await client().dev.state()
    const header = await client().getBlockHeader({ ...MASTER, seqno: newest })
    expect(header).toMatchObject({ global_id: -3, after_merge: false, after_split: false, gen_utime: utime })
    expect(header.validator_list_hash_short).toBe(header.validator_list_hash_short | 0)
    expect((await client().getBlockHeader({ ...BASE, seqno: 1 })).prev_key_block_seqno).toBe(0)
  })

  test('by its full name, and never by a wrong one', async () => {
    const { id } = await client().getBlockHeader({ ...MASTER, seqno: 2 })
    const { root_hash, file_hash } = id
    const whole = await client().getBlockHeader({ ...MASTER, seqno: 2, root_hash, file_hash })
    expect(whole.id).toEqual(id)
    const hex = (text: string) => Buffer.from(text, 'base64').toString('hex')
    const query = `getBlockHeader?workchain=-1&shard=${shard}&seqno=2`
    expect(await statusOf(`${query}&root_hash=${hex(root_hash)}&file_hash=${hex(file_hash)}`)).toBe(200)
    expect(await statusOf(`${query}&root_hash=${hex(file_hash)}&file_hash=${hex(root_hash)}`)).toBe(500)
    expect(await statusOf(`${query}&root_hash=&file_hash=`)).toBe(200)
    expect(await statusOf(`${query}&root_hash=zz&file_hash=`)).toBe(422)
    expect(await statusOf(`getBlockHeader?workchain=-1&shard=${shard}&seqno=${FUTURE}`)).toBe(500)
  })
})

describe('getMasterchainBlockSignatures', () => {
  test('are those of the validators of the chain over the name of the block', async () => {
    const { bytes } = (await client().getConfigParam({ param: 34 })).config
    const keys = [...(configParseValidatorSet(Cell.fromBase64(bytes).beginParse())?.list.values() ?? [])]
    const named = new Map(
      keys.map(({ publicKey }) => [
        createHash('sha256').update(Buffer.from('c6b41348', 'hex')).update(publicKey).digest('base64'),
        createPublicKey({
          key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]),
          format: 'der',
          type: 'spki',
        }),
      ]),
    )
    expect(named.size).toBe(3)
    for (const seqno of [1, 2, newest]) {
      const { id, signatures, ...rest } = await client().getMasterchainBlockSignatures({ seqno })
      expect(rest).toEqual({ '@type': 'blocks.blockSignatures' })
      expect(id).toEqual(await client().lookupBlock({ ...MASTER, seqno }))
      const hashes = [id.root_hash, id.file_hash].map((text) => Buffer.from(text, 'base64'))
      const message = Buffer.concat([Buffer.from('706e0bc5', 'hex'), ...hashes])
      expect(signatures).toHaveLength(3)
      for (const [name, key] of named) {
        const found = signatures.find(({ node_id_short }) => node_id_short === name)
        expect(verify(null, message, key, Buffer.from(found?.signature ?? '', 'base64'))).toBe(true)
      }
    }
  })

  test('of a block that is not there yet', async () => {
    expect(await statusOf(`getMasterchainBlockSignatures?seqno=${FUTURE}`)).toBe(500)
    for (const seqno of ['0', '-1', 'invalid']) {
      expect(await statusOf(`getMasterchainBlockSignatures?seqno=${seqno}`)).toBe(422)
    }
  })
})

describe('getShardBlockProof', () => {
  test('of a masterchain block: only the way back', async () => {
    const proof = await client().getShardBlockProof({ ...MASTER, seqno: 2, from_seqno: 10 })
    expect(proof).toMatchObject({ from: { seqno: 10 }, mc_id: { seqno: 2, shard }, links: [] })
    expect(proof.mc_proof.at(0)?.from).toEqual(proof.from)
    expect(proof.mc_proof.at(-1)?.to).toEqual(proof.mc_id)
    const same = await client().getShardBlockProof({ ...MASTER, seqno: 10, from_seqno: 10 })
    expect(same.mc_proof).toEqual([])
  })

  test('of a block of a shard: down to it, each link from where the last one led', async () => {
    const { last } = await client().getMasterchainInfo()
    const proof = await client().getShardBlockProof({ ...BASE, seqno: 1 })
    expect(proof.from).toEqual(last)
    expect(proof.links.at(-1)?.id).toEqual(await client().lookupBlock({ ...BASE, seqno: 1 }))
    for (const link of proof.links) expect(Cell.fromBoc(Buffer.from(link.proof, 'base64'))).toHaveLength(1)
    expect(proof.mc_proof.at(-1)?.to).toEqual(proof.mc_id)
  })

  test('never forward, and never of a block that is not there yet', async () => {
    const path = `getShardBlockProof?workchain=-1&shard=${shard}`
    for (const query of [
      'seqno=10&from_seqno=2',
      'seqno=2&from_seqno=0',
      `seqno=${FUTURE}`,
      `seqno=2&from_seqno=${FUTURE}`,
    ])
      expect([query, await statusOf(`${path}&${query}`)]).toEqual([query, 500])
    for (const query of ['seqno=0', 'seqno=-2', 'seqno=2&from_seqno=-1', 'seqno=2&from_seqno=x', ''])
      expect([query, await statusOf(`${path}&${query}`)]).toEqual([query, 422])
  })
})

test('the consensus block and the queues are those of the newest block', async () => {
  const { last } = await client().getMasterchainInfo()
  const consensus = await client().getConsensusBlock()
  expect(consensus).toMatchObject({ '@type': 'ext.blocks.consensusBlock', consensus_block: last.seqno })
  expect(Math.abs(consensus.timestamp - Date.now() / 1000)).toBeLessThan(3600)
  const { shards, ext_msg_queue_size_limit } = await client().getOutMsgQueueSize()
  expect(shards.map(({ id }) => id)).toEqual([last, ...(await client().shards({ seqno: last.seqno })).shards])
  expect(shards.map(({ size }) => size)).toEqual([0, 0])
  expect(ext_msg_queue_size_limit).toBe(8000)
})

test('the usual client lists shards', async () => {
  const ton = new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` })
  expect(await ton.getWorkchainShards(newest)).toEqual([
    { workchain: 0, shard, seqno: (await client().shards({ seqno: newest })).shards[0]?.seqno },
  ])
  expect(await ton.getBalance(Address.parse(RECEIVER))).toBe(5000n)
})
