// Transactions through the service: of a wallet that pays, by the usual library and over REST.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { TonClient } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve, type TestService } from '../setup/service.ts'

const RECEIVER = `0:${'ab'.repeat(32)}`
const UNUSED = `0:${'77'.repeat(32)}`
const PAYMENTS = 20

const clientOf = ({ url }: TestService) => createClient({ url, retry: false, timeoutMs: 300_000 })

const walletOf = (service: TestService) => fundedWallet(clientOf(service))

const tonOf = ({ url }: TestService) => new TonClient({ endpoint: `${url}/api/v2/jsonRPC` })

/** A chain on which the wallet has paid the receiver so many times, with a comment and without. */
async function paid(): Promise<TestService> {
  const service = await serve()
  const { wallet, secretKey } = await walletOf(service)
  const ton = tonOf(service)
  for (let seqno = 0; seqno < PAYMENTS; seqno++) {
    const body = seqno % 2 === 0 ? `payment ${seqno} ✓` : beginCell().storeUint(seqno, 13).endCell()
    const messages = [internal({ to: RECEIVER, value: toNano('0.5'), bounce: false, body })]
    const transfer = wallet.createTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY })
    const message = beginCell().store(storeMessage(external({ to: wallet.address, body: transfer })))
    await ton.sendFile(message.endCell().toBoc())
    expect((await ton.runMethod(wallet.address, 'seqno')).stack.readNumber()).toBe(seqno + 1)
  }
  return service
}

const service = forAllTests(paid)
const client = () => clientOf(service())
const ton = () => tonOf(service())
const get = (name: string, params: Record<string, unknown>) => ask(service(), `/api/v2/${name}${queryOf(params)}`)
const walletAddress = async () => (await walletOf(service())).wallet.address.toRawString()

describe('getTransactions', () => {
  test('the usual library reads all of them, page by page', async () => {
    const address = Address.parse(await walletAddress())
    const all = await ton().getTransactions(address, { limit: 100 })
    expect(all.length).toBeGreaterThanOrEqual(PAYMENTS)
    const pages = [...(await ton().getTransactions(address, { limit: 7 }))]
    for (;;) {
      const last = pages.at(-1)
      if (!last) break
      const next = { limit: 7, lt: String(last.lt), hash: last.hash().toString('base64') }
      const page = await ton().getTransactions(address, next)
      if (page.length === 0) break
      pages.push(...page)
    }
    expect(pages.map((one) => one.hash().toString('hex'))).toEqual(all.map((one) => one.hash().toString('hex')))
    expect(
      await ton().getTransaction(address, String(all[3]?.lt), all[3]?.hash().toString('base64') ?? ''),
    ).toMatchObject({ lt: all[3]?.lt })
  })

  test('hashes in every spelling, and the lower end is left out', async () => {
    const address = await walletAddress()
    const [first, second, third] = await client().getTransactions({ address, limit: 3 })
    if (!first || !second || !third) throw new Error('three transactions were expected')
    const { lt, hash } = second.transaction_id
    const hex = Buffer.from(hash, 'base64').toString('hex')
    for (const spelled of [hash, hex, hex.toUpperCase(), Buffer.from(hex, 'hex').toString('base64url')]) {
      const { body } = await get('getTransactions', { address, lt, hash: spelled, limit: 2 })
      expect(body.result).toEqual([second, third])
    }
    expect(await client().getTransactions({ address, to_lt: lt })).toEqual([first])
    expect(await client().getTransactions({ address, limit: 1, lt: '0', hash: '', archival: true })).toEqual([first])
  })

  test('what a payment looks like on both sides', async () => {
    const address = await walletAddress()
    const [, payment] = await client().getTransactions({ address })
    expect(payment).toMatchObject({
      '@type': 'ext.transaction',
      account: address.toUpperCase(),
      in_msg: { source: '', value: '0', msg_data: { '@type': 'msg.dataRaw', init_state: '' } },
      out_msgs: [
        {
          '@type': 'ext.message',
          source: Address.parse(address).toString(),
          destination: Address.parse(RECEIVER).toString(),
          value: '500000000',
          ihr_fee: '0',
          extra_currencies: [],
          message: `payment ${PAYMENTS - 2} ✓`,
          msg_data: { '@type': 'msg.dataText' },
        },
      ],
    })
    if (!payment) throw new Error('a payment was expected')
    expect(BigInt(payment.fee)).toBe(BigInt(payment.storage_fee) + BigInt(payment.other_fee))
    const [received] = await client().getTransactions({ address: RECEIVER, limit: 1 })
    expect(received).toMatchObject({
      in_msg: { msg_data: { '@type': 'msg.dataRaw' }, message: `${Buffer.from([0, 0x98]).toString('base64')}\n` },
      out_msgs: [],
    })
  })

  test('an unused address has none', async () => {
    expect(await client().getTransactions({ address: UNUSED })).toEqual([])
    expect(await client().getTransactionsStd({ address: UNUSED })).toMatchObject({
      transactions: [],
      previous_transaction_id: { lt: '0' },
    })
  })

  test.each([
    [{ lt: '5' }],
    [{ hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=' }],
    [{ limit: 0 }],
    [{ limit: 1001 }],
    [{ lt: '-1', hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=' }],
    [{ archival: 'maybe' }],
  ])('error: %j', async (params) => {
    expect((await get('getTransactions', { address: UNUSED, ...params })).status).toBe(422)
  })

  test('error: a transaction of another one', async () => {
    const [first] = await client().getTransactions({ address: RECEIVER, limit: 1 })
    const { lt, hash } = first?.transaction_id ?? {}
    const { status, body } = await get('getTransactions', { address: UNUSED, lt, hash })
    expect([status, body.error]).toEqual([500, expect.stringContaining('LITE_SERVER_UNKNOWN: cannot locate')])
  })
})

describe('getTransactionsStd', () => {
  test('names where to go on, until there is nothing more', async () => {
    const address = await walletAddress()
    const all = await client().getTransactions({ address, limit: 1000 })
    const names: string[] = []
    let from: { lt?: `${bigint}`; hash?: string } = {}
    for (;;) {
      const page = await client().getTransactionsStd({ address, limit: 9, ...from })
      names.push(...page.transactions.map((one) => one.transaction_id.hash))
      const { lt, hash } = page.previous_transaction_id
      if (lt === '0') break
      from = { lt, hash }
    }
    expect(names).toEqual(all.map((one) => one.transaction_id.hash))
  })
})

describe('transactions of a block', () => {
  test('the same by name and in full, in one page or several', async () => {
    const [last] = await client().getTransactions({ address: RECEIVER, limit: 1 })
    const { last: head } = await client().getMasterchainInfo()
    const place = { workchain: 0, shard: head.shard }
    let seqno = 0
    for (let at = head.seqno; at > 0 && seqno === 0; at--) {
      const { status, body } = await get('getBlockTransactions', { ...place, seqno: at })
      if (status === 200 && JSON.stringify(body.result).includes(String(last?.transaction_id.hash))) seqno = at
    }
    const names = await client().getBlockTransactions({ ...place, seqno })
    const full = await client().getBlockTransactionsExt({ ...place, seqno })
    expect(full.transactions.map((one) => one.transaction_id.hash)).toEqual(names.transactions.map((one) => one.hash))
    expect(names).toMatchObject({ incomplete: false, req_count: 40 })
    expect(names.transactions.length).toBeGreaterThan(0)
    expect(names.transactions[0]).toMatchObject({ mode: 135, account: expect.stringMatching(/^0:[0-9a-f]{64}$/) })
    const paged: string[] = []
    for (let after = {}; ; ) {
      const page = await client().getBlockTransactions({ ...place, seqno, count: 1, ...after })
      paged.push(...page.transactions.map((one) => one.hash))
      const end = page.transactions.at(-1)
      if (!page.incomplete || !end) break
      after = { after_lt: end.lt, after_hash: end.account }
    }
    expect(paged).toEqual(names.transactions.map((one) => one.hash))
    const { root_hash, file_hash } = names.id
    expect(await client().getBlockTransactions({ ...place, seqno, root_hash, file_hash })).toEqual(names)
    // One hash alone does not name it: it is found by its place.
    expect(await client().getBlockTransactions({ ...place, seqno, root_hash })).toEqual(names)
    expect(await client().getBlockTransactions({ ...place, seqno, file_hash })).toEqual(names)
  })

  test('the usual library reads those of the masterchain', async () => {
    const listed = await ton().getShardTransactions(-1, 1, '-9223372036854775808')
    expect(listed.length).toBeGreaterThan(0)
  })

  test.each([[{ seqno: 0 }], [{ count: 0 }], [{ count: 10_001 }], [{ after_lt: 1 }], [{ after_hash: UNUSED }]])(
    'error: %j',
    async (wrong) => {
      const params = { workchain: -1, shard: '-9223372036854775808', seqno: 1, ...wrong }
      expect((await get('getBlockTransactions', params)).status).toBe(422)
    },
  )

  test('error: a block of the future', async () => {
    const { status } = await get('getBlockTransactions', { workchain: -1, shard: '-9223372036854775808', seqno: 1e6 })
    expect(status).toBe(500)
  })
})

describe('tryLocate', () => {
  test('every message leads to both of its transactions', async () => {
    const address = await walletAddress()
    const [received, ...more] = await client().getTransactions({ address: RECEIVER })
    if (!received) throw new Error('a payment was expected')
    for (const result of [received, ...more.slice(-1)]) {
      const mark = { source: address, destination: RECEIVER, created_lt: result.in_msg?.created_lt ?? '0' }
      expect(await client().tryLocateTx(mark)).toEqual(result)
      expect(await client().tryLocateResultTx(mark)).toEqual(result)
      const sent = await client().tryLocateSourceTx(mark)
      expect(sent.out_msgs.map((one) => one.hash)).toContain(result.in_msg?.hash)
      const from = Address.parse(address)
      const to = Address.parse(RECEIVER)
      const theirs = await ton().tryLocateResultTx(from, to, mark.created_lt)
      expect(theirs.hash().toString('base64')).toBe(result.transaction_id.hash)
      expect((await ton().tryLocateSourceTx(from, to, mark.created_lt)).hash().toString('base64')).toBe(
        sent.transaction_id.hash,
      )
    }
  })

  test('behavior: a message that came out of nothing was still taken', async () => {
    await client().dev.sendInternal({ from: UNUSED, to: RECEIVER, value: '1000', bounce: false })
    const [received] = await client().getTransactions({ address: RECEIVER, limit: 1 })
    const mark = { source: UNUSED, destination: RECEIVER, created_lt: received?.in_msg?.created_lt ?? '0' }
    expect(await client().tryLocateTx(mark)).toEqual(received)
  })

  test.each(['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx'])('error: %s of nothing', async (name) => {
    for (const created_lt of ['1', '1000001', '9000000000000000000']) {
      const { status, body } = await get(name, { source: RECEIVER, destination: UNUSED, created_lt })
      expect([status, body.error]).toEqual([404, 'transaction was not found'])
    }
    expect((await get(name, { source: RECEIVER, destination: UNUSED, created_lt: '-1' })).status).toBe(422)
    expect((await get(name, { source: RECEIVER, destination: UNUSED })).status).toBe(422)
  })
})
