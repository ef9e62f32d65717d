// Keys and requests of wallets of Telegram, in flows made by hand as their contracts send them.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, known, op, type Step, typesOf } from './madeFlows.ts'

const USER = account('1')
const WALLET = account('5')
const OTHER = account('6')
const TELEGRAM = known({ codeHash: 'kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=' })
const facts = { [WALLET]: TELEGRAM }
const cell = (bytes: Uint8Array) => beginCell().storeBytes(bytes).end()
const signed = (opcode: number) => beginCell().storeBytes(Buffer.alloc(64, 0xee)).storeUint(opcode, 32).storeUint(0, 96)
const newKey = Buffer.alloc(32, 1)
const proof = Buffer.alloc(64, 2)
const oldKey = Buffer.alloc(32, 3)
const change = (opcode: number) => signed(opcode).storeBytes(newKey).storeRef(cell(proof)).storeRef(cell(oldKey)).end()
const event: Step = { from: WALLET, to: null, body: op(0x5d1cd02f).storeBytes(oldKey).end() }
const details = {
  destination: WALLET,
  new_public_key: newKey.toString('hex'),
  rotation_signature: proof.toString('hex'),
  encrypted_old_private_key: oldKey.toString('hex'),
}

test('a new key, requested from outside', () => {
  const actions = actionsOf({ from: null, to: WALLET, body: change(0xfbba99c8), leads: [event] }, facts)
  expect(typesOf(actions)).toEqual(['change_wallet_key'])
  expect(actions[0]?.details).toEqual({ source: null, value: null, ...details })
  expect(actions[0]?.accounts).toEqual([WALLET])
  expect(typesOf(actionsOf({ from: null, to: WALLET, body: change(0xfbba99c8), aborted: true }, facts))).toEqual([
    'unknown failed',
  ])
  expect(typesOf(actionsOf({ from: null, to: WALLET, body: change(0xfbba99c8) }))).toEqual(['unknown'])
})

test('one brought by a message counts when the wallet says so', () => {
  const brought: Step = { from: USER, to: WALLET, body: change(0xfbba99c7), value: 30n }
  const [action] = actionsOf({ ...brought, leads: [event] }, facts)
  expect(action).toMatchObject({
    type: 'change_wallet_key',
    success: true,
    details: { source: USER, value: '30', ...details },
  })
  const silent = actionsOf(brought, facts)
  expect(typesOf(silent), 'a stranger brings the key that the wallet already has').toEqual(['call_contract'])
  const byStranger: Step = { from: OTHER, to: USER, body: op(0x5d1cd02f).storeBytes(oldKey).end() }
  expect(typesOf(actionsOf({ ...brought, leads: [byStranger] }, facts))).not.toContain('change_wallet_key')
})

test('what a wallet passes over is no request of its owner', () => {
  const body = signed(0x63896e74).storeUint(3, 8).storeRef(beginCell().end()).end()
  expect(typesOf(actionsOf({ from: OTHER, to: WALLET, body, value: 50n }, facts))).toEqual(['call_contract'])
  const v5 = { [WALLET]: known({ interfaces: ['wallet_v5r1'] }) }
  const brought: Step = {
    from: OTHER,
    to: WALLET,
    body: op(0x73696e74).storeBytes(Buffer.alloc(64, 1)).end(),
    value: 50n,
  }
  expect(typesOf(actionsOf(brought, v5))).toEqual(['call_contract'])
  expect(typesOf(actionsOf({ ...brought, leads: [{ from: WALLET, to: OTHER, value: 9n }] }, v5))).toContain(
    'gasless_request',
  )
  const isOnItsWay = true
  expect(
    typesOf(actionsOf({ ...brought, leads: [{ from: WALLET, to: OTHER, value: 9n, isOnItsWay }] }, v5)),
    'what the wallet sent has not arrived yet',
  ).toEqual(['gasless_request', 'gasless_request/call_contract'])
  const noWallet = { [WALLET]: known({ interfaces: [] }) }
  expect(typesOf(actionsOf({ ...brought, leads: [{ from: WALLET, to: OTHER, value: 9n }] }, noWallet))).not.toContain(
    'gasless_request',
  )
})

test('who brings a request pays for what the wallet does then', () => {
  const body = signed(0x63896e74).storeUint(3, 8).storeRef(beginCell().end()).end()
  const sent: Step = { from: WALLET, to: OTHER, value: 9n }
  const [request, part, paid] = actionsOf({ from: USER, to: WALLET, body, value: 50n, leads: [sent] }, facts)
  expect(request).toMatchObject({
    type: 'gasless_request',
    details: { source: USER, destination: WALLET, value: '50' },
  })
  expect(part).toMatchObject({ type: 'call_contract', ancestorTypes: ['gasless_request'] })
  expect(paid).toMatchObject({ type: 'ton_transfer', parentGaslessAction: request?.actionId })
})

test('what it was ordered to send and did not: one message, or many in chunks', () => {
  const head = (digit: string) =>
    address(beginCell().storeUint(0b011000, 6), account(digit)).storeCoins(5n).storeUint(0, 106)
  const message = (digit: string) => head(digit).storeBit(false).end()
  const secret = head('7')
    .storeBit(true)
    .storeRef(op(0x2167da4b).storeBytes(Buffer.from('secret')).end())
    .end()
  const hidden = signed(0x63896e75).storeUint(3, 8).storeRef(secret).end()
  expect(actionsOf({ from: null, to: WALLET, body: hidden, aborted: true }, facts)).toMatchObject([
    { type: 'ton_transfer', success: false, details: { encrypted: true, comment: 'c2VjcmV0', value: '5' } },
  ])
  const one = signed(0x63896e75).storeUint(3, 8).storeRef(message('7')).end()
  expect(actionsOf({ from: null, to: WALLET, body: one, aborted: true }, facts)).toMatchObject([
    { type: 'ton_transfer', success: false, details: { source: WALLET, destination: account('7'), value: '5' } },
  ])
  const last = beginCell().storeBit(false).storeUint(3, 8).storeRef(message('8')).end()
  const chunk = beginCell().storeMaybeRef(last)
  for (const digit of ['7', '9', 'A']) chunk.storeUint(3, 8).storeRef(message(digit))
  const chunks = chunk.end()
  const ordered = (count: number) => {
    const body = signed(0x73896e75).storeUint(count, 8).storeMaybeRef(chunks).end()
    return actionsOf({ from: null, to: WALLET, body, aborted: true }, facts)
  }
  for (const wrong of [3, 5]) expect(typesOf(ordered(wrong))).toEqual(['unknown failed'])
  const actions = ordered(4)
  expect(actions.map(({ details: { destination } }) => destination)).toEqual(
    ['7', '9', 'A', '8'].map((d) => account(d)),
  )
})
