import { beginCell as coreCell, Dictionary } from '@ton/core'
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton'
import { describe, expect, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import { knownState, toExtendedAddressInformation } from '../../../../server/methods/view/extendedAccount.ts'
import { toWalletInformation } from '../../../../server/methods/view/wallet.ts'
import { parseAddress } from '../../../../shared/address.ts'
import { accountsV2 } from '../../../../shared/v2/accounts.ts'
import { absentAccount, active, cellOf, madeAccount } from '../../../setup/madeAccounts.ts'

const order = { workchain: 0, publicKey: Buffer.alloc(32, 5) }
const kinds = {
  'wallet v1 r1': WalletContractV1R1.create(order),
  'wallet v1 r2': WalletContractV1R2.create(order),
  'wallet v1 r3': WalletContractV1R3.create(order),
  'wallet v2 r1': WalletContractV2R1.create(order),
  'wallet v2 r2': WalletContractV2R2.create(order),
  'wallet v3 r1': WalletContractV3R1.create(order),
  'wallet v3 r2': WalletContractV3R2.create(order),
  'wallet v4 r2': WalletContractV4.create(order),
  'wallet v5 beta': WalletContractV5Beta.create(order),
  'wallet v5 r1': WalletContractV5R1.create(order),
}
const codeOf = (kind: keyof typeof kinds) => {
  const { code } = kinds[kind].init
  if (!code) throw new Error(`${kind} has no code`)
  return cellOf(code)
}
const dataOf = (kind: keyof typeof kinds) => {
  const { data } = kinds[kind].init
  if (!data) throw new Error(`${kind} has no data`)
  return cellOf(data)
}

const NAME = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
const address = parseAddress(NAME)
if (!address) throw new Error('no address')

const wallet = (found: Parameters<typeof toWalletInformation>[0]) =>
  accountsV2.getWalletInformation.result.parse(toWalletInformation(found))
const extended = (found: Parameters<typeof toExtendedAddressInformation>[1]) =>
  accountsV2.getExtendedAddressInformation.result.parse(toExtendedAddressInformation(address, found))

describe('wallets', () => {
  test.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s', (kind) => {
    const view = wallet(madeAccount(active(codeOf(kind), dataOf(kind))))
    expect(view).toMatchObject({ wallet: true, wallet_type: kind, seqno: 0, account_state: 'active' })
    expect('wallet_id' in view).toBe(/v[345]/.test(kind))
    expect('is_signature_allowed' in view).toBe(kind.includes('v5'))
    if (/v[34]/.test(kind)) expect(view.wallet_id).toBe(698983191)
    if (kind === 'wallet v5 r1') expect(view.is_signature_allowed).toBe(true)
  })

  test('seqno and id are read where they stand', () => {
    const v4 = cellOf(coreCell().storeUint(17, 32).storeUint(4_000_000_000, 32).endCell())
    expect(wallet(madeAccount(active(codeOf('wallet v4 r2'), v4)))).toMatchObject({
      seqno: 17,
      wallet_id: 4_000_000_000 - 2 ** 32,
    })
    const v5 = cellOf(coreCell().storeBit(1).storeUint(3, 32).storeUint(2147483409, 32).endCell())
    expect(wallet(madeAccount(active(codeOf('wallet v5 r1'), v5)))).toMatchObject({
      seqno: 3,
      wallet_id: 2147483409,
      is_signature_allowed: true,
    })
  })

  test('any other contract, and no contract', () => {
    const other = wallet(madeAccount(active(beginCell().storeUint(1, 8).end(), null)))
    expect(other).toMatchObject({ wallet: false, account_state: 'active' })
    expect(Object.keys(other)).not.toContain('wallet_type')
    expect(wallet(absentAccount)).toMatchObject({ wallet: false, balance: '0', account_state: 'uninitialized' })
    const frozen = { kind: 'frozen', stateHash: new Uint8Array(32) } as const
    expect(wallet(madeAccount(frozen))).toMatchObject({ wallet: false, account_state: 'frozen' })
  })

  test("a wallet's code with another contract's data", () => {
    for (const data of [null, beginCell().storeUint(1, 20).end()]) {
      const view = wallet(madeAccount(active(codeOf('wallet v3 r2'), data)))
      expect(view).toMatchObject({ wallet: true, wallet_type: 'wallet v3 r2' })
      expect(view).not.toHaveProperty('seqno')
    }
  })
})

describe('contracts found by their code', () => {
  test.each([
    ['wallet v3 r1', 'wallet.v3.accountState', 1],
    ['wallet v3 r2', 'wallet.v3.accountState', 2],
    ['wallet v4 r2', 'wallet.v4.accountState', 2],
  ] as const)('%s', (kind, type, revision) => {
    const view = extended(madeAccount(active(codeOf(kind), dataOf(kind))))
    expect(view).toMatchObject({ account_state: { '@type': type, wallet_id: 698983191, seqno: 0 }, revision })
    expect(view.address.account_address).toBe(NAME)
  })

  test('ids have no sign', () => {
    const data = cellOf(coreCell().storeUint(17, 32).storeUint(4_000_000_000, 32).endCell())
    expect(extended(madeAccount(active(codeOf('wallet v4 r2'), data))).account_state).toEqual({
      '@type': 'wallet.v4.accountState',
      wallet_id: 4_000_000_000,
      seqno: 17,
    })
  })

  test('wallets of other kinds and all other code are shown as they are', () => {
    for (const kind of ['wallet v1 r3', 'wallet v2 r2', 'wallet v5 r1'] as const) {
      const { account_state, revision } = extended(madeAccount(active(codeOf(kind), dataOf(kind))))
      expect(account_state).toMatchObject({ '@type': 'raw.accountState', frozen_hash: '' })
      expect(revision).toBe(0)
    }
  })

  test('data of another shape does not hide the contract', () => {
    const { account_state } = extended(madeAccount(active(codeOf('wallet v3 r2'), beginCell().end())))
    expect(account_state).toMatchObject({ '@type': 'raw.accountState' })
  })

  test('no code: frozen or not', () => {
    const frozen = { kind: 'frozen', stateHash: new Uint8Array(32).fill(9) } as const
    expect(extended(madeAccount(frozen)).account_state).toEqual({
      '@type': 'uninited.accountState',
      frozen_hash: Buffer.alloc(32, 9).toString('base64'),
    })
    expect(extended(absentAccount).account_state).toEqual({ '@type': 'uninited.accountState', frozen_hash: '' })
  })
})

describe('contracts that are older than any library', () => {
  const numbers = coreCell().storeUint(17, 32).storeUint(3_000_000_000, 32)
  const data = cellOf(numbers.endCell())
  const moment = { grams: 1000n, utime: 2000 }
  const both = { wallet_id: 3_000_000_000, seqno: 17 }

  test.each([
    ['0ab1ff93a9e79c0deff4405d8dad6b5ac9f8c01b2f1ebcb4259feb9e98380099', 'wallet.highload.v1', -1, both],
    ['d8cdbbb79f2c5caa677ac450770be0351be21e1250486de85cc52aa33dd16484', 'wallet.highload.v1', 1, both],
    ['368c03972e5f4c24412b818652de1de2a2630d1c011609999dff745fb36849ad', 'wallet.highload.v1', 2, both],
    ['9494d1cc8edf12f05671a1a9ba09921096eb50811e1924ec65c3c629fbb80812', 'wallet.highload.v2', -1, { wallet_id: 17 }],
    ['8ceb45b3cd4b5cc60eaae1c13b9c092392677fe536b2e9b2d801b62eff931fe1', 'wallet.highload.v2', 1, { wallet_id: 17 }],
    ['0b3a887aeacd2a7d40bb5550bc9253156a029065aefb6d6b583735d58da9d5be', 'wallet.highload.v2', 2, { wallet_id: 17 }],
    ['7353ade3e1f7cbedc525b3e7bc3226fe5ac8276fa5279ac37fb6efbc88f422b7', 'dns', -1, { wallet_id: 17 }],
    ['a0d67d2de8919fe7b7ca77652ccd4fdc56c689de7a69161e45fb0dcc5e47c155', 'dns', 1, { wallet_id: 17 }],
  ])('%s', (hash, type, revision, state) => {
    const account_state = { '@type': `${type}.accountState`, ...state }
    expect(knownState(hash, data, moment)).toEqual({ account_state, revision })
  })

  const RESTRICTED = '8d35049b946cf33b58510bb4560c841a945f7781d6de9fc69ca3f430f6e32273'
  const limits = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(4))
  limits.set(-32768, 900n).set(500, 300n).set(1500, 0n)
  const restricted = (start: number) =>
    cellOf(
      coreCell()
        .storeUint(17, 32)
        .storeUint(3_000_000_000, 32)
        .storeUint(5, 256)
        .storeUint(start, 32)
        .storeDict(limits)
        .endCell(),
    )

  test.each([
    [2100, 100],
    [1500, 700],
    [1501, 100],
    [400, 1000],
    [0, 100],
  ])('a restricted wallet started at %i has %i to spend', (start, unlocked_balance) => {
    expect(knownState(RESTRICTED, restricted(start), moment)).toEqual({
      account_state: {
        '@type': 'rwallet.accountState',
        ...both,
        unlocked_balance,
        config: {
          '@type': 'rwallet.config',
          start_at: start,
          limits: [
            { '@type': 'rwallet.limit', seconds: -32768, value: 900 },
            { '@type': 'rwallet.limit', seconds: 500, value: 300 },
            { '@type': 'rwallet.limit', seconds: 1500, value: 0 },
          ],
        },
      },
      revision: 1,
    })
  })

  test('a restricted wallet whose few cells claim more limits than anyone sets is shown as it is', () => {
    let node = coreCell().storeUint(0b110_1100, 7).storeCoins(1).endCell()
    for (let level = 0; level < 20; level++) node = coreCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell()
    const numbers = coreCell().storeUint(17, 32).storeUint(5, 32).storeUint(5, 256).storeUint(1500, 32)
    expect(knownState(RESTRICTED, cellOf(numbers.storeBit(1).storeRef(node).endCell()), moment)).toBeNull()
  })

  test('a restricted wallet without a setup is shown as it is', () => {
    expect(knownState(RESTRICTED, data, moment)).toBeNull()
    expect(knownState('00'.repeat(32), data, moment)).toBeNull()
  })
})
