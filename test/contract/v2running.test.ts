// Get-methods through the service: real contracts in the real TVM, by the usual library and by hand.

import { Address, beginCell, type Cell, type TupleItem } from '@ton/core'
import { TonClient } from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { registry } from '../../shared/registry.ts'
import { post } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const WALLET = String(registry.runGetMethod.example.params.address)
const UNUSED = `0:${'77'.repeat(32)}`
const [PAID, DEEP, BROKEN] = ['78', '79', '7a'].map((byte) => `0:${byte.repeat(32)}`) as [string, string, string]
/** A contract whose code does nothing: it leaves what it was given, and the number of the method on top. */
const ECHO = `0:${'ee'.repeat(32)}`
/** One that never ends: `AGAIN` over an empty continuation. */
const ENDLESS = `0:${'dd'.repeat(32)}`

const bocOf = (cell: Cell): string => cell.toBoc().toString('base64')

const service = forAllTests(async () => {
  const running = await serve()
  const { dev } = createClient({ url: running.url, retry: false, timeoutMs: 300_000 })
  const empty = bocOf(beginCell().endCell())
  await dev.setAccount({ address: ECHO, balance: '1000000000', code: empty, data: empty })
  // PUSHCONT {} AGAIN
  const endless = bocOf(beginCell().storeUint(0x90ea, 16).endCell())
  await dev.setAccount({ address: ENDLESS, balance: '1000000000', code: endless, data: empty })
  return running
})

const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
const ton = () => new TonClient({ endpoint: `${service().url}/api/v2/jsonRPC` })
const rest = (name: string, params: object | string) => post(service(), `/api/v2/${name}`, params)

describe('runGetMethod', () => {
  test('a wallet says its seqno, by name and by number', async () => {
    const { stack, gas_used } = await ton().runMethod(Address.parse(WALLET), 'seqno')
    expect(stack.readNumber()).toBe(0)
    expect(gas_used).toBeGreaterThan(100)
    for (const method of [85143, '85143', '0x14c97'])
      expect((await client().runGetMethod({ address: WALLET, method })).stack).toEqual([['num', '0x0']])
  })

  test('every kind of value makes the whole way and back', async () => {
    const inner = beginCell().storeUint(5, 3).storeRef(beginCell().storeUint(1, 8).endCell()).endCell()
    const args: TupleItem[] = [
      { type: 'int', value: 2n ** 256n - 1n },
      { type: 'int', value: -(2n ** 256n) },
      { type: 'cell', cell: inner },
      { type: 'slice', cell: inner },
    ]
    const { stack } = await ton().runMethod(Address.parse(ECHO), 'anything', args)
    expect(stack.readBigNumber()).toBe(2n ** 256n - 1n)
    expect(stack.readBigNumber()).toBe(-(2n ** 256n))
    expect(stack.readCell().equals(inner)).toBe(true)
    expect(stack.readCell().equals(inner)).toBe(true)
  })

  test('the lowest of all numbers is taken as answers write it', async () => {
    const value = `-0x1${'0'.repeat(64)}`
    const { stack } = await client().runGetMethod({ address: ECHO, method: 1, stack: [['num', value]] })
    expect(stack[0]).toEqual(['num', value])
    const v3 = await client().v3.runGetMethod({ address: ECHO, method: '1', stack: [{ type: 'num', value }] })
    expect(v3.stack[0]).toEqual({ type: 'num', value })
  })

  test('pairs: what goes in by its many names', async () => {
    const bytes = bocOf(beginCell().storeUint(0, 8).endCell())
    const number = (text: string) => ({
      '@type': 'tvm.stackEntryNumber',
      number: { '@type': 'tvm.numberDecimal', number: text },
    })
    const { stack, exit_code } = await client().runGetMethod({
      address: ECHO,
      method: 1,
      stack: [
        ['num', 7],
        ['int', '-0x10'],
        ['number', '12345678901234567890'],
        ['tvm.Cell', bytes],
        ['slice', { bytes }],
        ['cell', { data: { b64: 'AA==', len: 8 }, refs: [] }],
        ['tuple', { '@type': 'tvm.tuple', elements: [number('1'), number('0x2'), number('3')] }],
        ['list', { '@type': 'tvm.list', elements: [number('1'), number('2')] }],
        ['list', { '@type': 'tvm.list', elements: [] }],
        ['null', null],
        ['tuple', { '@type': 'tvm.tuple', elements: [] }],
      ],
    })
    const cell = [
      'cell',
      { bytes: expect.any(String), object: { data: { b64: 'AA==', len: 8 }, refs: [], special: false } },
    ]
    expect(exit_code).toBe(0)
    expect(stack).toEqual([
      ['num', '0x7'],
      ['num', '-0x10'],
      ['num', '0xab54a98ceb1f0ad2'],
      cell,
      cell,
      cell,
      ['tuple', { '@type': 'tvm.tuple', elements: [number('1'), number('2'), number('3')] }],
      ['list', { '@type': 'tvm.list', elements: [number('1'), number('2')] }],
      ['list', { '@type': 'tvm.list', elements: [] }],
      ['list', { '@type': 'tvm.list', elements: [] }],
      ['tuple', { '@type': 'tvm.tuple', elements: [] }],
      ['num', '0x1'],
    ])
  })

  test('a number in JSON too long for a double stays exact', async () => {
    const { body } = await rest(
      'runGetMethod',
      `{"address":"${ECHO}","method":1,"stack":[["num",9223372036854775807]]}`,
    )
    expect(body.result).toMatchObject({
      stack: [
        ['num', '0x7fffffffffffffff'],
        ['num', '0x1'],
      ],
    })
  })

  test('nothing there: exit code -13 and the method on top', async () => {
    const answer = await client().runGetMethod({ address: UNUSED, method: 'seqno', stack: [['num', '5']] })
    expect(answer).toMatchObject({
      exit_code: -13,
      gas_used: 0,
      stack: [
        ['num', '0x5'],
        ['num', '0x14c97'],
      ],
    })
    expect(answer.last_transaction_id).toMatchObject({ lt: '0', hash: `${'A'.repeat(43)}=` })
    await expect(ton().runMethod(Address.parse(UNUSED), 'seqno')).rejects.toThrow(/-13/)
  })

  test('a method that fails is an answer', async () => {
    expect((await client().runGetMethod({ address: WALLET, method: 'no_such_method' })).exit_code).toBe(11)
    const endless = await client().runGetMethod({ address: ENDLESS, method: 'seqno' })
    expect(endless.exit_code).toBe(-14)
    expect(endless.gas_used).toBeGreaterThanOrEqual(1_000_000)
  })

  test('at an earlier block', async () => {
    const { last } = await client().getMasterchainInfo()
    await client().dev.faucet({ address: PAID, amount: '1' })
    const answer = await client().runGetMethod({ address: WALLET, method: 'seqno', seqno: last.seqno })
    expect(answer.block_id).toEqual(last)
    await expect(client().runGetMethod({ address: WALLET, method: 'seqno', seqno: 1e6 })).rejects.toMatchObject({
      kind: 'upstream',
    })
  })

  test.each([
    ['three elements', ['num', 1, 2], 422],
    ['no type', [1, 2], 422],
    ['an empty type', ['', ''], 422],
    ['no number', ['num', 'x'], 422],
    ['a fraction', ['num', 1.5], 422],
    ['a number of 258 bits', ['num', `0x1${'0'.repeat(64)}`], 422],
    ['no base64', ['tvm.Cell', '!'], 422],
    ['an empty cell', ['tvm.Slice', ''], 422],
    ['a cell of the wrong shape', ['cell', {}], 422],
    ['a tuple of the wrong shape', ['tuple', []], 422],
    ['bytes that are no cells', ['tvm.Cell', 'AAAA'], 500],
    ['an unknown type', ['tvm.Builder', 'te6ccgEBAQEAAgAAAA=='], 542],
  ])('error: %s', async (_, entry, status) => {
    const answer = await rest('runGetMethod', { address: ECHO, method: 'm', stack: [entry] })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ ok: false, code: status })
  })

  test('lists of a thousand elements come back; a stack deeper than cells may be is refused in words', async () => {
    const one = { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '1' } }
    const list = (length: number) => ({ '@type': 'tvm.list', elements: Array.from({ length }, () => one) })
    const long = await rest('runGetMethod', { address: ECHO, method: 'm', stack: [['list', list(1000)]] })
    expect(long.body).toMatchObject({ ok: true, result: { stack: [['list', list(1000)], expect.anything()] } })
    const stack = Array.from({ length: 1100 }, () => ['num', 1])
    const { status, body } = await rest('runGetMethod', { address: ECHO, method: 'm', stack })
    expect([status, body.error]).toEqual([500, expect.stringMatching(/^as cells the stack is deeper than 1024: /)])
  })

  test('error: tuples deeper than a hundred come back as 533', async () => {
    // NIL and a hundred and twenty times: SINGLE TUPLE of it; then the method's number goes.
    const wrap = beginCell().storeUint(0x6f01, 16)
    for (let i = 0; i < 55; i++) wrap.storeUint(0x6f01, 16)
    const code = beginCell().storeBuilder(wrap)
    const next = beginCell().storeBuilder(wrap).endCell()
    await client().dev.setAccount({ address: DEEP, code: bocOf(code.storeRef(next).endCell()), data: bocOf(next) })
    const { status, body } = await rest('runGetMethod', { address: DEEP, method: 5, stack: [] })
    expect([status, body.error]).toEqual([533, 'Result stack depth >= 100'])
  })
})

test('a contract that breaks the TVM down is reported, and the next one runs', async () => {
  // An empty cell, put into a new one again and again until it is as deep as none may be, is left on the stack.
  const code = beginCell().storeBuffer(Buffer.from('c8c981040093c8ccc9e4', 'hex')).endCell()
  await client().dev.setAccount({ address: BROKEN, code: bocOf(code), data: bocOf(code) })
  const { status, body } = await rest('runGetMethod', { address: BROKEN, method: 5, stack: [] })
  expect([status, body.error]).toEqual([500, 'the TVM could not finish this run'])
  expect((await ton().runMethod(Address.parse(WALLET), 'seqno')).stack.readNumber()).toBe(0)
})

describe('runGetMethodStd', () => {
  test('slices stay slices, numbers are decimal', async () => {
    const bytes = bocOf(beginCell().storeUint(0, 8).endCell())
    const slice = { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } } as const
    const number = {
      '@type': 'tvm.stackEntryNumber',
      number: { '@type': 'tvm.numberDecimal', number: '-0xff' },
    } as const
    const answer = await client().runGetMethodStd({ address: ECHO, method: 3, stack: [slice, number] })
    expect(answer).toMatchObject({
      exit_code: 0,
      stack: [slice, { ...number, number: { ...number.number, number: '-255' } }, { number: { number: '3' } }],
    })
    expect(answer).not.toHaveProperty('block_id')
  })

  test('error: unknown entries', async () => {
    const bad = await rest('runGetMethodStd', { address: ECHO, method: 'm', stack: [{ '@type': 'tvm.stackEntryOdd' }] })
    expect(bad.status).toBe(422)
    const odd = await rest('runGetMethodStd', {
      address: ECHO,
      method: 'm',
      stack: [{ '@type': 'tvm.stackEntryUnsupported' }],
    })
    expect(odd.status).toBe(500)
  })
})
