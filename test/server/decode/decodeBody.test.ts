// Bodies built with the usual library, as wallets and tokens send them.

import { beginCell as begin, type Cell as CoreCell, internal, SendMode, storeMessageRelaxed, toNano } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, openCell, readBoc } from '../../../server/cell/index.ts'
import { decodeBody, knownOperationName, withCommentFields } from '../../../server/decode/index.ts'
import { poolStakeBody } from '../../../server/demo/contracts/staking/pool.ts'
import { electorStakeBody, signedStake } from '../../../server/devchain/contracts/elector/electorBodies.ts'
import { cellTwins } from '../cell/randomCells.ts'
import { owner, std } from './shownOwner.ts'

const ours = (cell: CoreCell): Cell => readBoc(cell.toBoc())
const decode = (cell: CoreCell) => decodeBody(ours(cell))
const comment = (text: string) => begin().storeUint(0, 32).storeStringTail(text).endCell()

describe('comments', () => {
  test('are text, however long', () => {
    const text = 'Привет, мир! '.repeat(60)
    expect(decode(comment(text))).toEqual({ '@type': 'text_comment', text })
  })

  test('have three spellings at the top of a message', () => {
    expect(withCommentFields(decode(comment('hi')))).toEqual({
      '@type': 'text_comment',
      comment: 'hi',
      type: 'text_comment',
    })
  })

  test('that are no UTF-8 are not decoded', () => {
    expect(decode(begin().storeUint(0, 32).storeUint(0xff, 8).endCell())).toBeNull()
  })

  test('in cells that branch, or of bits that are no bytes, are not decoded', () => {
    const some = () => begin().storeUint(0, 32).storeUint(97, 8)
    const leaf = begin().storeUint(98, 8).endCell()
    expect(decode(some().storeRef(leaf).endCell())).toEqual({ '@type': 'text_comment', text: 'ab' })
    expect(decode(some().storeRef(leaf).storeRef(leaf).endCell())).toBeNull()
    expect(decode(some().storeUint(9, 4).endCell())).toBeNull()
  })

  test('encrypted ones keep their bytes', () => {
    const body = begin().storeUint(0x2167da4b, 32).storeUint(0xc0ffee, 24).endCell()
    expect(decode(body)).toEqual({ '@type': 'encrypted_text_comment', cipher_text: 'C0FFEE' })
  })
})

describe('tokens', () => {
  const transfer = (payload: (cell: ReturnType<typeof begin>) => ReturnType<typeof begin>) =>
    payload(
      begin().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(1_000_000).storeAddress(owner).storeAddress(null),
    )

  test('a jetton transfer with a comment apart', () => {
    const body = transfer((b) => b.storeBit(0).storeCoins(1).storeBit(1).storeRef(comment('hi'))).endCell()
    expect(decode(body)).toEqual({
      '@type': 'jetton_transfer',
      query_id: '7',
      amount: { '@type': 'var_uint', len: '3', value: '1000000' },
      destination: std,
      response_destination: { '@type': 'addr_none' },
      custom_payload: { '@type': 'nothing_from_maybe' },
      forward_ton_amount: { '@type': 'var_uint', len: '1', value: '1' },
      forward_payload: { '@type': 'second_from_either', value: { '@type': 'text_comment', text: 'hi' } },
    })
  })

  test('a payload that is unknown stays a bag of cells', () => {
    const odd = begin().storeUint(0x12345678, 32).endCell()
    const body = transfer((b) => b.storeBit(1).storeRef(odd).storeCoins(0).storeBit(0)).endCell()
    expect(decode(body)).toMatchObject({
      custom_payload: {
        '@type': 'something_from_maybe',
        value: { cell_reference: odd.toBoc({ idx: false, crc32: true }).toString('base64') },
      },
      forward_payload: { '@type': 'first_from_either', value: { '@type': 'empty_cell' } },
    })
  })

  test('an internal transfer without the bit in front of its payload', () => {
    const head = begin().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(5)
    const body = head.storeAddress(owner).storeAddress(owner).storeCoins(0).endCell()
    expect(decode(body)).toMatchObject({
      '@type': 'jetton_internal_transfer',
      forward_payload: { '@type': 'empty_cell' },
    })
  })

  test('bits behind the payload of an internal transfer do not hide it', () => {
    const head = begin().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(5)
    const paid = head.storeAddress(owner).storeAddress(owner).storeCoins(0).storeBit(1).storeRef(comment('hi'))
    expect(decode(paid.storeUint(5, 3).endCell())).toMatchObject({
      forward_payload: { '@type': 'second_from_either', value: { '@type': 'text_comment', text: 'hi' } },
    })
  })

  test('cut short it is nothing', () => {
    expect(decode(transfer((b) => b).endCell())).toBeNull()
  })
})

describe('records of names', () => {
  const change = (value?: CoreCell) => {
    const head = begin().storeUint(0x4eb1f0f9, 32).storeUint(0, 64).storeUint(0xabc, 256)
    return decode((value ? head.storeRef(value) : head).endCell())
  }

  test('are changed with a value and deleted without', () => {
    const wallet = begin().storeUint(0x9fd3, 16).storeAddress(owner).storeUint(0, 8).endCell()
    expect(change(wallet)).toMatchObject({
      '@type': 'change_dns_record',
      value: { cell_reference: { '@type': 'dns_smc_address', smc_addr: std, flags: '0' } },
    })
    expect(change()).toMatchObject({ '@type': 'delete_dns_record', key: 'ABC'.padStart(64, '0') })
  })
})

describe('wallets', () => {
  const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 7))
  const order = internal({ to: owner, value: toNano('1'), body: 'paid', bounce: false })
  const args = { seqno: 5, secretKey, messages: [order], sendMode: SendMode.PAY_GAS_SEPARATELY, timeout: 1_900_000_000 }
  const sent = { info: { '@type': 'int_msg_info', bounce: false, dest: std } }

  test.each([
    ['v3', 'wallet_signed_v3', WalletContractV3R2.create({ workchain: 0, publicKey })],
    ['v4', 'wallet_signed_v4', WalletContractV4.create({ workchain: 0, publicKey })],
  ] as const)('%s: the message that is to be sent is read', (_, name, wallet) => {
    expect(decode(wallet.createTransfer(args))).toMatchObject({
      '@type': name,
      signature: expect.stringMatching(/^[0-9A-F]{128}$/),
      subwallet_id: '698983191',
      valid_until: '1900000000',
      msg_seqno: '5',
      actions: [{ mode: '1', message: { cell_reference: sent } }],
    })
  })

  test('v5: actions, signature behind them', () => {
    const wallet = WalletContractV5R1.create({ publicKey })
    expect(decode(wallet.createTransfer(args))).toMatchObject({
      '@type': 'w5_external_signed_request',
      wallet_id: '2147483409',
      msg_seqno: '5',
      out_actions: {
        '@type': 'something_from_maybe',
        value: { cell_reference: [{ '@type': 'action_send_msg', out_msg: { cell_reference: sent } }] },
      },
      extended_actions: { '@type': 'nothing_from_maybe' },
      signature: expect.stringMatching(/^[0-9A-F]{128}$/),
    })
  })

  test('v5: an extension is added', () => {
    const wallet = WalletContractV5R1.create({ publicKey })
    const body = wallet.createAddExtension({ seqno: 1, secretKey, extensionAddress: owner, timeout: 1_900_000_000 })
    expect(decode(body)).toMatchObject({
      extended_actions: { '@type': 'something_from_maybe', value: [{ '@type': 'add_extension', addr: std }] },
    })
  })

  test('vesting wallets are sent a message', () => {
    const message = begin().store(storeMessageRelaxed(order)).endCell()
    const body = begin().storeUint(0xa7733acd, 32).storeUint(1, 64).storeUint(3, 8).storeRef(message).endCell()
    expect(decode(body)).toMatchObject({ '@type': 'vesting_send_message', message: { cell_reference: sent } })
  })
})

describe('operations', () => {
  test('are named', () => {
    expect(knownOperationName(0)).toBe('text_comment')
    expect(knownOperationName(0xf718510f)).toBe('mulisig_new_order')
    expect(knownOperationName(0x7369676e)).toBe('w5_external_signed_request')
    expect(knownOperationName(0xea06185d)).toBe('dedust_swap')
    expect(knownOperationName(0x12345678)).toBeNull()
  })
})

test('a stake that the elector sends back says why', () => {
  const body = begin().storeUint(0xee6f454c, 32).storeUint(7, 64).storeUint(5, 32).endCell()
  expect(decode(body)).toEqual({ '@type': 'elector_new_stake_error', query_id: '7', reason: '5' })
  expect(knownOperationName(0xee6f454c)).toBe('elector_new_stake_error')
})

test('a stake to the elector and one to a pool of nominators have one operation, and are read by their own schemes', () => {
  const offer = signedStake({
    electAt: 1_700_000_000,
    maxFactor: 3,
    holder: { workchain: -1, hash: new Uint8Array(32).fill(1) },
    publicKey: new Uint8Array(32).fill(2),
    adnl: new Uint8Array(32).fill(3),
    sign: () => new Uint8Array(64).fill(4),
  })
  const stake = {
    query_id: '7',
    validator_pubkey: '02'.repeat(32),
    stake_at: '1700000000',
    max_factor: '196608',
    adnl_addr: '03'.repeat(32),
    signature: { cell_reference: { '': '04'.repeat(64) } },
  }
  expect(decodeBody(electorStakeBody(7n, offer))).toEqual({ '@type': 'elector_new_stake', ...stake })
  expect(decodeBody(poolStakeBody(7n, toNano('10001'), offer))).toEqual({
    '@type': 'nominator_pool_new_stake',
    ...stake,
    amount: { '@type': 'nanocoins', amount: { '@type': 'var_uint', len: '6', value: '10001000000000' } },
  })
  expect(knownOperationName(0x4e73744b)).toBe('elector_new_stake')
})

describe('hostile bodies', () => {
  test('any cell is answered', () => {
    const operations = fc.constantFrom(0x0f8a7ea5, 0x178d4519, 0x7369676e, 0x6578746e, 0x9c73fba2, 0xae42e5a4, 0, null)
    fc.assert(
      fc.property(cellTwins(8, 120), operations, ({ ours: tree }, operation) => {
        const head = operation === null ? beginCell() : beginCell().storeUint(operation, 32)
        const decoded = decodeBody(head.storeSlice(openCell(tree)).end())
        expect(decoded === null || typeof decoded['@type'] === 'string').toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('what came back, in the new form: the whole body, and why', () => {
    const info = begin().storeCoins(7).storeBit(0).storeUint(5, 64).storeUint(6, 32).endCell()
    const excess = begin().storeUint(0xd53276db, 32).storeUint(3, 64).endCell()
    const back = begin().storeUint(0xfffffffe, 32).storeRef(excess).storeRef(info).storeUint(1, 8).storeInt(-14, 32)
    expect(decode(back.storeBit(1).storeUint(900, 32).storeUint(8, 32).endCell())).toMatchObject({
      '@type': 'new_bounce_body',
      original_body: { cell_reference: { '@type': 'excess', query_id: '3' } },
      original_info: { cell_reference: { created_lt: '5', created_at: '6' } },
      bounced_by_phase: '1',
      exit_code: '-14',
      compute_phase: { value: { gas_used: '900', vm_steps: '8' } },
    })
    // The elector says so when there is nothing to take back.
    expect(decode(begin().storeUint(0xfffffffe, 32).storeUint(3, 64).endCell())).toBeNull()
  })

  test('bodies in bodies end somewhere', () => {
    let cell = begin().storeUint(0xffffffff, 32).endCell()
    for (let i = 0; i < 400; i++) {
      const head = begin().storeUint(0x235caf52, 32).storeUint(0, 64).storeAddress(owner).storeCoins(0)
      cell = head.storeRef(cell).endCell()
    }
    const text = JSON.stringify(decode(cell))
    expect(text.match(/jetton_call_to/g)).toHaveLength(11)
  })

  test('shared cells do not multiply the answer', () => {
    let cell = begin().storeBuffer(Buffer.alloc(100, 1)).endCell()
    for (let i = 0; i < 200; i++) cell = begin().storeUint(i, 800).storeRef(cell).storeRef(cell).endCell()
    const upgrade = (inner: CoreCell) =>
      begin().storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(inner).storeRef(inner).endCell()
    for (let i = 0; i < 9; i++) cell = upgrade(cell)
    expect(JSON.stringify(decode(cell)).length).toBeLessThan(4_000_000)
  })

  test('errors of the service have their stacks again afterwards', () => {
    const { stackTraceLimit } = Error
    expect(stackTraceLimit).toBeGreaterThan(0)
    // Some fit, some do not.
    for (const cell of [
      comment('hi'),
      begin().storeUint(0x0f8a7ea5, 32).endCell(),
      comment('a long one '.repeat(5_000)),
    ])
      decode(cell)
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  })
})
