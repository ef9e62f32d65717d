// Get-methods by way of the lite server.

import { Cell as CoreCell, parseTuple, serializeTuple, TupleReader } from '@ton/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginCell, type Cell, openCell } from '../../../../server/cell/index.ts'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createDevchainLiteServer, type DevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import { type AccountId, LiteError, runParts } from '../../../../server/node/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { verifyRunMethod } from '../../../setup/verifyAtOnce.ts'
import { account, bornWallet, coins, transfer } from '../wallets.ts'

let chain: Devchain
let lite: DevchainLiteServer
let pool: TvmPool
beforeAll(async () => {
  chain = await openDevchain({ idleBlockMs: 3_600_000 })
  pool = await createTvmPool({ workers: 1 })
  lite = createDevchainLiteServer(chain, { pool })
  await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
})
afterAll(async () => {
  lite.close()
  await pool.close()
  await chain.close()
})

const SEQNO = 85_143
const ALL = runParts.proof | runParts.stateProof | runParts.result
const wallet: AccountId = { workchain: 0, hash: bornWallet(0).address.id }
const nothing = new Uint8Array()
const stackOf = (boc: Uint8Array): TupleReader =>
  new TupleReader(parseTuple(CoreCell.fromBoc(Buffer.from(boc))[0] ?? CoreCell.EMPTY))

test('behavior: a contract has the libraries of its own and the public ones', async () => {
  const [own, other] = ['own', 'public'].map((text) => beginCell().storeBytes(Buffer.from(text)).end())
  if (own === undefined || other === undefined) throw new Error('No libraries')
  const borrowed = (library: Cell) => beginCell().storeUint(2, 8).storeBytes(library.hashBytes()).end(true)
  // SETCP0 DROP PUSHREF CTOS SBITS PUSHREF CTOS SBITS
  const code = beginCell().storeBytes(Buffer.from('ff003088d0d74988d0d749', 'hex'))
  const name = account(0x63)
  const publisher = account(0x64, -1)
  await chain.control.setAccount({ ...publisher, balance: coins(100), code: own, libraries: [other] })
  await chain.control.setAccount({
    ...name,
    balance: coins(1),
    libraries: [own],
    code: code.storeRef(borrowed(own)).storeRef(borrowed(other)).end(),
  })
  await chain.control.mine()
  const head = chain.head().master.id
  const asked = { account: { workchain: 0, hash: name.id }, methodId: 0, params: nothing, mode: runParts.result }
  const { exitCode, result } = await lite.runMethod(head, asked)
  const stack = stackOf(result)
  expect([exitCode, stack.readNumber(), stack.readNumber()]).toEqual([0, 24, 48])
})

describe('get-methods', () => {
  test('default: as of the newest and of an older block', async () => {
    const head = chain.head().master.id
    const answer = await lite.runMethod(head, { account: wallet, methodId: SEQNO, params: nothing, mode: ALL })
    expect([answer.exitCode, stackOf(answer.result).readNumber()]).toEqual([0, 1])
    expect(verifyRunMethod(head, wallet, answer).account?.storage.state.kind).toBe('active')
    const first = chain.reader.bySeqno(-1, 1)?.id ?? head
    const older = await lite.runMethod(first, { account: wallet, methodId: SEQNO, params: nothing, mode: ALL })
    expect([older.exitCode, stackOf(older.result).readNumber()]).toEqual([0, 0])
    verifyRunMethod(first, wallet, older)
  })

  test("args: a block of the account's own shard", async () => {
    const shard = chain.head().shard?.id
    if (shard === undefined) throw new Error('No shard block')
    const answer = await lite.runMethod(shard, { account: wallet, methodId: SEQNO, params: nothing, mode: ALL })
    expect([answer.exitCode, answer.shardProof.length]).toEqual([0, 0])
    verifyRunMethod(shard, wallet, answer)
  })

  test('args: parameters are below the result on the stack', async () => {
    const params = serializeTuple([
      { type: 'int', value: -5n },
      { type: 'slice', cell: CoreCell.EMPTY },
    ]).toBoc()
    const answer = await lite.runMethod(chain.head().master.id, { account: wallet, methodId: SEQNO, params, mode: ALL })
    const stack = stackOf(answer.result)
    expect([answer.exitCode, stack.remaining, stack.readNumber()]).toEqual([0, 3, -5])
  })

  test('args: only what the mode asks for comes', async () => {
    const head = chain.head().master.id
    const { proof, shardProof, stateProof, result } = await lite.runMethod(head, {
      account: wallet,
      methodId: SEQNO,
      params: nothing,
      mode: 0,
    })
    expect([proof, shardProof, stateProof, result].map(({ length }) => length)).toEqual([0, 0, 0, 0])
  })

  test('behavior: a method that does not exist ends with exit code 11', async () => {
    const config = { workchain: -1, hash: new Uint8Array(32).fill(0x55) }
    const answer = await lite.runMethod(chain.head().master.id, {
      account: config,
      methodId: 4711,
      params: nothing,
      mode: ALL,
    })
    expect(answer.exitCode).toBe(11)
  })

  test.each([
    ['absent', new Uint8Array(32).fill(200)],
    ['without code', account(1).id],
  ])('behavior: an account that is %s has no methods', async (_, hash) => {
    const head = chain.head().master.id
    const answer = await lite.runMethod(head, {
      account: { workchain: 0, hash },
      methodId: SEQNO,
      params: nothing,
      mode: ALL,
    })
    expect([answer.exitCode, answer.result.length]).toEqual([-256, 0])
    verifyRunMethod(head, { workchain: 0, hash }, answer)
  })

  test('behavior: what the proof shows is enough to run the method again', async () => {
    const head = chain.head().master.id
    const verified = verifyRunMethod(
      head,
      wallet,
      await lite.runMethod(head, { account: wallet, methodId: SEQNO, params: nothing, mode: ALL }),
    )
    const state = verified.account?.storage.state
    if (state?.kind !== 'active' || state.init.data === null) throw new Error('No state to read')
    expect(openCell(state.init.data).loadUint(32)).toBe(1)
  })

  test('error: a caller that has gone', async () => {
    const signal = AbortSignal.abort()
    await expect(
      lite.runMethod(
        chain.head().master.id,
        { account: wallet, methodId: SEQNO, params: nothing, mode: 4 },
        { signal },
      ),
    ).rejects.toThrow(LiteError)
  })
})
