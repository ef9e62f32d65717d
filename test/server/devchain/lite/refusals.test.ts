// What the lite server refuses, with the codes clients decide by; and what it lets a caller wait for.

import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createDevchainLiteServer, type DevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import { type BlockIdExt, LiteError, MASTERCHAIN, verifyHeader, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { verifyAccount } from '../../../../server/node/verify/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { account, bornWallet, coins, transfer } from '../wallets.ts'

let pool: TvmPool
beforeAll(async () => {
  pool = await createTvmPool({ workers: 1 })
  return () => pool.close()
})

const open: { chain: Devchain; lite: DevchainLiteServer }[] = []
const start = async (options: Parameters<typeof openDevchain>[0] = {}) => {
  const chain = await openDevchain({ idleBlockMs: 3_600_000, ...options })
  const lite = createDevchainLiteServer(chain, { pool })
  open.push({ chain, lite })
  return { chain, lite, head: () => chain.head().master.id }
}
afterEach(async () => {
  for (const { chain, lite } of open.splice(0)) {
    lite.close()
    await chain.close()
  }
})

const refusal = async (work: Promise<unknown>): Promise<{ code: number; text: string }> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof LiteError)) throw new Error(`Not refused: ${String(error)}`)
  return { code: error.code, text: error.message }
}

const other = new Uint8Array(32).fill(3)
const someone = { workchain: 0, hash: account(1).id }

describe('refusals', () => {
  test('error: a block that is not known, by any part of its id', async () => {
    const { lite, head } = await start()
    const strange: BlockIdExt[] = [
      { ...head(), rootHash: other },
      { ...head(), fileHash: other },
      { ...head(), seqno: 99 },
      { ...head(), workchain: 0 },
      { ...head(), shard: 1n << 62n },
      { ...head(), seqno: 0 },
    ]
    for (const id of strange) {
      expect((await refusal(lite.header(id))).code).toBe(651)
      expect((await refusal(lite.accountState(id, someone))).code).toBe(651)
      expect((await refusal(lite.block(id))).code).toBe(651)
    }
  })

  test('error: a block that is not there yet', async () => {
    const { lite } = await start()
    const where = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
    expect((await refusal(lite.lookup({ ...where, seqno: 1000 }))).code).toBe(651)
    expect((await refusal(lite.lookup({ ...where, lt: 1n << 60n }))).code).toBe(651)
    expect((await refusal(lite.lookup({ ...where, utime: 0xffff_ffff }))).code).toBe(651)
    expect((await refusal(lite.lookup({ ...where, seqno: 0 }))).code).toBe(651)
    expect((await refusal(lite.lookup({ ...where, workchain: 7, seqno: 1 }))).code).toBe(651)
  })

  test('error: questions that make no sense', async () => {
    const { lite, chain, head } = await start()
    await chain.control.mine(2)
    const shard = chain.head().shard?.id ?? head()
    const zerostate = chain.reader.zerostates.master.id
    const senseless = [
      lite.block(zerostate),
      lite.header(zerostate),
      lite.shards(zerostate),
      lite.shards(shard),
      lite.config(shard, 'all'),
      lite.config(head(), Array(257).fill(1)),
      lite.config(head(), [0.5]),
      lite.accountState(shard, { workchain: -1, hash: other }),
      lite.accountState(head(), { workchain: 0, hash: new Uint8Array(31) }),
      lite.oneTransaction(shard, { account: { workchain: -1, hash: other }, lt: 1n }),
      lite.validatorStats(head(), { limit: 0 }),
      lite.blockProof(shard, null),
      lite.libraries([new Uint8Array(5)]),
      lite.runMethod(head(), {
        account: { workchain: -1, hash: new Uint8Array(32).fill(0x55) },
        methodId: 85_143,
        params: Buffer.from('noise'),
        mode: 4,
      }),
      lite.shardInfo(head(), { workchain: 0, shard: 0n, exact: false }),
      lite.header({ ...head(), rootHash: new Uint8Array() }),
      lite.header({ ...head(), fileHash: new Uint8Array(32) }),
    ]
    expect((await Promise.all(senseless.map(refusal))).map(({ code }) => code)).toEqual(senseless.map(() => -400))
  })

  test('error: transactions that are not where they should be', async () => {
    const { lite, chain, head } = await start()
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    const { shardAccount } = verifyAccount(head(), someone, await lite.accountState(head(), someone))
    const { lastTransLt: lt = 0n, lastTransHash: hash = other } = shardAccount ?? {}
    expect((await lite.transactions({ account: someone, lt, hash, count: 16 })).ids).toHaveLength(1)
    expect(await refusal(lite.transactions({ account: someone, lt, hash: other, count: 16 }))).toEqual({
      code: -400,
      text: 'transaction hash mismatch',
    })
    expect(await refusal(lite.transactions({ account: someone, lt: lt + 1n, hash, count: 16 }))).toEqual({
      code: -400,
      text: 'cannot locate transaction in block with specified logical time',
    })
    expect(
      (await refusal(lite.transactions({ account: { workchain: 9, hash: other }, lt, hash, count: 16 }))).code,
    ).toBe(-400)
    expect((await lite.transactions({ account: someone, lt: 0n, hash, count: 16 })).ids).toEqual([])
  })

  test('error: a message that is not accepted, with the text of a node', async () => {
    const { lite } = await start()
    const wallet = bornWallet(1)
    wallet.seqno = 7
    const { code, text } = await refusal(lite.send(transfer(wallet, { to: account(1), value: coins(1) })))
    expect(code).toBe(-701)
    expect(text).toMatch(
      /^cannot apply external message to current state : External message was not accepted: cannot run message on account: /,
    )
    expect(text).toMatch(/exitcode=33/)
    expect((await refusal(lite.send(Buffer.from('noise')))).code).toBe(0)
  })
})

describe('waiting', () => {
  test('behavior: a wait for a block after an undone one is refused at once', async () => {
    const { lite, chain } = await start({ mining: 'manual' })
    const name = await chain.control.snapshot()
    await chain.control.mine(2)
    let refused: unknown = null
    const wait = lite.waitMasterchainSeqno(chain.head().master.id.seqno + 1).catch((error: unknown) => {
      refused = error
    })
    await chain.control.revert(name)
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    expect(refused).toMatchObject({ kind: 'timeout' })
    await wait
  })

  test('behavior: an answer waits for the block it is wanted after', async () => {
    const { lite, chain } = await start({ mining: 'manual' })
    const waited = lite.masterchainInfo({ waitSeqno: 3 })
    await chain.control.mine(2)
    expect((await waited).last.seqno).toBeGreaterThanOrEqual(3)
    await lite.waitMasterchainSeqno(2)
  })

  test('error: the block does not come in time', async () => {
    const { lite } = await start({ mining: 'manual' })
    expect((await refusal(lite.waitMasterchainSeqno(50, { timeoutMs: 5 }))).code).toBe(652)
    expect((await refusal(lite.masterchainInfo({ waitSeqno: 50, timeoutMs: 0 }))).code).toBe(652)
  })

  test('error: the caller goes away', async () => {
    const { lite } = await start({ mining: 'manual' })
    const leaving = new AbortController()
    const waited = refusal(lite.waitMasterchainSeqno(50, { signal: leaving.signal }))
    leaving.abort()
    expect((await waited).code).toBe(653)
    expect((await refusal(lite.masterchainInfo({ signal: leaving.signal }))).code).toBe(653)
  })

  test('error: the server is closed', async () => {
    const { lite } = await start({ mining: 'manual' })
    const waited = refusal(lite.waitMasterchainSeqno(50))
    lite.close()
    expect((await waited).code).toBe(653)
  })

  test('behavior: listeners are notified of each head until they stop', async () => {
    const { lite, chain } = await start({ mining: 'manual' })
    const heard: number[] = []
    const stop = lite.onHead(({ seqno }) => heard.push(seqno))
    await chain.control.mine(2)
    stop()
    await chain.control.mine(1)
    expect(heard).toEqual([2, 3])
  })
})

describe('the past', () => {
  test('behavior: after a revert its blocks are unknown, whatever was answered before', async () => {
    const { lite, chain, head } = await start({ mining: 'manual' })
    const mark = await chain.control.snapshot()
    await chain.control.mine(2)
    const lost = head()
    verifyHeader(lost, await lite.header(lost))
    verifyAccount(lost, someone, await lite.accountState(lost, someone))
    await chain.control.revert(mark)
    await chain.control.mine(3)
    expect((await refusal(lite.header(lost))).code).toBe(651)
    expect((await refusal(lite.accountState(lost, someone))).code).toBe(651)
    expect(await refusal(lite.blockProof(lost, null))).toEqual({
      code: -400,
      text: expect.stringContaining('is unknown from the perspective of reference block'),
    })
  })

  test('behavior: states that are no longer in memory are made again', async () => {
    const { lite, chain, head } = await start({ mining: 'manual', keptStates: 2 })
    const wallet = { workchain: 0, hash: bornWallet(0).address.id }
    const first = head()
    const before = verifyAccount(first, wallet, await lite.accountState(first, wallet)).account?.storage.balance
    chain.control.setMining('auto')
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    await chain.control.mine(20)
    const again = verifyAccount(first, wallet, await lite.accountState(first, wallet)).account?.storage.balance
    expect(again?.grams).toBe(before?.grams)
    const now = verifyAccount(head(), wallet, await lite.accountState(head(), wallet)).account?.storage.balance
    expect(now?.grams).toBeLessThan(again?.grams ?? 0n)
  })
})
