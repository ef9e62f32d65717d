// Arguments of callers without types, and answers of services that are none: each is refused with what would be right.

import { Address, beginCell, type Sender } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { createTon, type Ton, tonConnectSender } from '../../../client/ton/index.ts'

const ACCOUNT = Address.parse(`0:${'ab'.repeat(32)}`)
const HASH = Buffer.alloc(32)
const BODY = beginCell().endCell()

const answering = (result: unknown) =>
  createClient({ transport: async (requests) => requests.map(({ id }) => ({ id, result })), retry: false })
const ton = createTon(answering({}))
const via: Sender = { send: async () => {} }

/** What a caller without types may pass. */
type Loose = (...args: unknown[]) => unknown
// The cast: these calls are wrong on purpose.
const loose = (value: object, name: string): Loose => (Reflect.get(value, name) as Loose).bind(value)
const of = (name: keyof Ton): Loose => loose(ton, name)
const provider = (name: string): Loose => loose(ton.provider(ACCOUNT), name)

const messageOf = async (call: () => unknown): Promise<string> => {
  try {
    await call()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing was thrown'
}

describe('arguments', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['no client', () => loose({ createTon }, 'createTon')(), /createTon takes a client.*not undefined/],
    [
      'an address of a service',
      () => loose({ createTon }, 'createTon')('http://localhost'),
      /takes a client.*not string/,
    ],
    ['an address as text', () => of('provider')('EQ'), /an address is an Address of @ton\/core.*not string/],
    ['a state of text', () => of('getState')('EQ'), /an address is an Address/],
    ['deployed, of null', () => of('isContractDeployed')(null), /an address is an Address.*not null/],
    ['a list of nothing', () => of('getTransactions')(undefined), /an address is an Address/],
    ['no wrapper', () => of('open')(), /an address is an Address/],
    ['a wrapper without an address', () => of('open')({}), /an address is an Address/],
    ['a block of text', () => of('at')('x'), /takes the seqno of a masterchain block, not x/],
    ['a block below the first', () => of('at')(0), /takes the seqno/],
    ['no wallet', () => of('sender')(), /made from a wallet.*not undefined/],
    ['no key', () => of('sender')({ address: ACCOUNT, sender: () => via }), /the secret key of a wallet/],
    ['no list of arguments', () => provider('get')('x'), /a list, which may be empty/],
    ['a number for an item', () => provider('get')('x', [1]), /items such as \{ type: 'int', value: 1n \}/],
    ['null for an item', () => provider('get')('x', [null]), /items such as/],
    ['null in a tuple', () => provider('get')('x', [{ type: 'tuple', items: [null, null] }]), /items such as/],
    ['a tuple of nothing', () => provider('get')('x', [{ type: 'tuple' }]), /this tuple is not one/],
    ['text for an int', () => provider('get')('x', [{ type: 'int', value: 'a' }]), /this int is not one/],
    ['a cell of nothing', () => provider('get')('x', [{ type: 'cell' }]), /this cell is not one/],
    ['no body', () => provider('external')(), /the body of a message is a Cell.*not undefined/],
    ['no sender', () => provider('internal')(undefined, { value: 1n }), /through a sender/],
    ['no value', () => provider('internal')(via, {}), /bigint of nanotons or a text of TON.*not undefined/],
    ['no order', () => provider('internal')(via), /bigint of nanotons/],
    ['a value with a comma', () => provider('internal')(via, { value: '1,5' }), /not 1,5/],
    ['a start of nothing', () => of('getTransactions')(ACCOUNT, { from: {} }), /named by \{ lt, hash \}/],
    ['a start of a number', () => of('getTransactions')(ACCOUNT, { from: { lt: 5, hash: HASH } }), /named by \{ lt/],
    ['a hash of text', () => of('getTransactions')(ACCOUNT, { from: { lt: 5n, hash: 'ab' } }), /named by \{ lt/],
    ['no connector', () => loose({ tonConnectSender }, 'tonConnectSender')(), /no wallet is connected/],
  ])('error: %s', async (_, call, words) => {
    expect(await messageOf(call)).toMatch(words)
  })

  test('a sender that returns nothing sends all the same', async () => {
    let count = 0
    const sync = { send: () => void count++ }
    await provider('internal')(sync, { value: '1', body: BODY })
    expect(count).toBe(1)
  })
})

const cell = { '@type': 'tvm.stackEntryCell', cell: { bytes: 'zz' } }
const number = { '@type': 'tvm.stackEntryNumber', number: { number: 'zz' } }

describe('answers', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['an empty object', {}],
    ['a list', []],
    ['a number', 5],
    ['an account without its last transaction', { balance: '1', extra_currencies: [], last_transaction_id: null }],
    ['a stack with null', { exit_code: 0, gas_used: 1, stack: [null] }],
    ['a stack with a cell of letters', { exit_code: 0, gas_used: 1, stack: [cell] }],
    ['a stack with a number of letters', { exit_code: 0, gas_used: 1, stack: [number] }],
    ['a run without its gas', { exit_code: 0, stack: [] }],
    ['a transaction of letters', { transactions: [{ data: 'zz' }] }],
    ['null for a transaction', { transactions: [null] }],
  ])('error: %s', async (_, result) => {
    const other = createTon(answering(result))
    const cannotBeRead = (method: string) => new RegExp(`^${method}: the answer cannot be read; check that url`)
    expect(await messageOf(() => other.getState(ACCOUNT))).toMatch(cannotBeRead('getAddressInformation'))
    expect(await messageOf(() => other.isContractDeployed(ACCOUNT))).toMatch(cannotBeRead('getAddressState'))
    expect(await messageOf(() => other.provider(ACCOUNT).get('x', []))).toMatch(cannotBeRead('runGetMethodStd'))
    expect(await messageOf(() => other.getTransactions(ACCOUNT, { from: { lt: 1n, hash: HASH } }))).toMatch(
      cannotBeRead('getTransactionsStd'),
    )
  })
})
