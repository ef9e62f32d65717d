// TonClient4 of @ton/ton, and a sandbox that forks from the running service through it.

import { Address, beginCell, internal, SendMode, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { Blockchain, RemoteBlockchainStorage, wrapTonClient4ForRemote } from '@ton/sandbox'
import { TonClient4, WalletContractV4 } from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { ask, post } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const RECEIVER = Address.parse(`0:${'ab'.repeat(32)}`)
const NOBODY = Address.parse(`0:${'77'.repeat(32)}`)

const service = forAllTests(() => serve())
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 120_000 })
const ton4 = () => new TonClient4({ endpoint: `${service().url}/api/v4`, timeout: 60_000 })

let wallet: WalletContractV4
let secretKey: Buffer

beforeAll(async () => {
  const { accounts } = await client().dev.state()
  const { mnemonic = '' } = accounts.find(({ kind }) => kind === 'v4r2') ?? {}
  const keys = await mnemonicToPrivateKey(mnemonic.split(' '))
  wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  secretKey = keys.secretKey
}, 60_000)

const order = { to: RECEIVER, value: toNano(2), bounce: false }
const sendMode = SendMode.PAY_GAS_SEPARATELY

describe('TonClient4', () => {
  test('reads the newest block, accounts, get-methods; sends', async () => {
    const { last } = await ton4().getLastBlock()
    expect([last.workchain, last.seqno]).toEqual([-1, (await client().getMasterchainInfo()).last.seqno])
    const opened = ton4().open(wallet)
    expect([await opened.getSeqno(), await opened.getBalance()]).toEqual([
      0,
      BigInt(await client().getAddressBalance({ address: wallet.address.toRawString() })),
    ])
    await opened.sendTransfer({ seqno: 0, secretKey, sendMode, messages: [internal(order)] })
    expect(await opened.getSeqno()).toBe(1)
    const now = (await ton4().getLastBlock()).last.seqno
    const { account } = await ton4().getAccount(now, wallet.address)
    const { account: lite } = await ton4().getAccountLite(now, wallet.address)
    expect(lite.state).toMatchObject({ type: 'active', codeHash: wallet.init.code.hash().toString('base64') })
    expect([lite.balance, lite.last]).toEqual([account.balance, account.last])
    const lt = BigInt(account.last?.lt ?? 0)
    expect((await ton4().isAccountChanged(now, wallet.address, lt)).changed).toBe(false)
    expect((await ton4().isAccountChanged(now, wallet.address, 1n)).changed).toBe(true)
    expect(await ton4().isContractDeployed(now, NOBODY)).toBe(false)
    expect((await ton4().getAccount(last.seqno, wallet.address)).account.last).not.toEqual(account.last)
  })

  test('arguments and results of every kind pass through', async () => {
    const { last } = await ton4().getLastBlock()
    const config = Address.parse(`-1:${'55'.repeat(32)}`)
    const { result, exitCode, block } = await ton4().runMethod(last.seqno, config, 'seqno')
    expect([exitCode, result[0]?.type, block.seqno]).toEqual([0, 'int', last.seqno])
    const elector = Address.parse(`-1:${'33'.repeat(32)}`)
    const args = [{ type: 'int', value: 5n }] as const
    const returned = await ton4().runMethod(last.seqno, elector, 'compute_returned_stake', [...args])
    expect(returned.reader.readBigNumber()).toBe(0n)
    expect((await ton4().runMethod(last.seqno, elector, 'nothing')).exitCode).toBe(11)
  })
})

test('a sandbox forks from it: accounts as they are here, changes stay there', async () => {
  const remote = new RemoteBlockchainStorage(wrapTonClient4ForRemote(ton4()))
  const chain = await Blockchain.create({ storage: remote })
  const here = async () => BigInt(await client().getAddressBalance({ address: RECEIVER.toRawString() }))
  const before = await here()
  const there = async () => (await chain.getContract(RECEIVER)).balance
  expect(await there()).toBe(before)
  const opened = chain.openContract(wallet)
  const seqno = await opened.getSeqno()
  expect(seqno).toBe(await ton4().open(wallet).getSeqno())
  await opened.sendTransfer({ seqno, secretKey, sendMode, messages: [internal(order)] })
  expect([await opened.getSeqno(), await there(), await here()]).toEqual([seqno + 1, before + toNano(2), before])
})

describe('refusals', () => {
  const answer = async (path: string) => {
    const { status, body } = await ask(service(), `/api/v4${path}`)
    return [status, body.error]
  }
  test.each([
    ['/block', 404, 'Not Found'],
    ['/block/newest', 404, 'Not Found'],
    ['/block/1/me', 422, expect.stringContaining("Failed to parse ton_addr: 'me'")],
    [`/block/1/${'%ff'}`, 422, 'a part of the path is not encoded correctly'],
    [`/block/4000000000/${NOBODY}`, 422, expect.stringContaining('"seqno" must be at most')],
    [`/block/2000000000/${NOBODY}`, 500, expect.stringContaining('LITE_SERVER')],
    [`/block/1/${NOBODY}/run/seqno/AAAA`, 422, expect.stringContaining('the arguments are not a stack')],
    ['/send', 405, 'method GET is not supported: use POST'],
  ])('%s', async (path, status, words) => {
    expect(await answer(path)).toEqual([status, words])
  })

  test('a message that is refused, and none', async () => {
    const refused = await post(service(), '/api/v4/send', { boc: beginCell().endCell().toBoc().toString('base64') })
    expect(refused.status).toBe(500)
    expect((await post(service(), '/api/v4/send', {})).status).toBe(422)
    expect((await post(service(), '/api/v4/send', '[')).status).toBe(422)
  })
})
