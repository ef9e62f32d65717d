import { Cell as CoreCell, loadShardAccount as coreShardAccount } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { beginCell, dictBytesKey, dictKind, emptyDict, unitValue } from '../../../../server/cell/index.ts'
import {
  contractPartsOf,
  isSuspended,
  toAddressInformation,
  toShardAccountCell,
} from '../../../../server/methods/view/account.ts'
import { accountsV2 } from '../../../../shared/v2/accounts.ts'
import { absentAccount, active, madeAccount, UTIME } from '../../../setup/madeAccounts.ts'

const CODE = beginCell().storeUint(0xff00, 16).end()
const DATA = beginCell().storeUint(7, 32).end()

const fits = (value: unknown) => accountsV2.getAddressInformation.result.parse(value)

describe('an account with what its shard says of it', () => {
  test('active', () => {
    const view = fits(toAddressInformation(madeAccount(active(CODE, DATA)), false))
    expect(view).toMatchObject({ state: 'active', balance: '5000000000', frozen_hash: '', sync_utime: UTIME })
    expect(view.last_transaction_id).toMatchObject({ lt: '42', hash: Buffer.alloc(32, 0x22).toString('base64') })
    expect(CoreCell.fromBase64(view.code).hash().toString('hex')).toBe(CODE.hashHex())
    expect(CoreCell.fromBase64(view.data).hash().toString('hex')).toBe(DATA.hashHex())
    expect(view.code).toMatch(/^te6cck/)
  })

  test('frozen: the hash and no code', () => {
    const view = fits(
      toAddressInformation(madeAccount({ kind: 'frozen', stateHash: new Uint8Array(32).fill(9) }), false),
    )
    expect(view).toMatchObject({ state: 'frozen', code: '', data: '' })
    expect(view.frozen_hash).toBe(Buffer.alloc(32, 9).toString('base64'))
  })

  test('uninitialized with TON', () => {
    const view = fits(toAddressInformation(madeAccount({ kind: 'uninit' }), false))
    expect(view).toMatchObject({ state: 'uninitialized', code: '', data: '', frozen_hash: '', balance: '5000000000' })
  })

  test('never seen', () => {
    expect(fits(toAddressInformation(absentAccount, true))).toMatchObject({
      state: 'uninitialized',
      balance: '0',
      extra_currencies: [],
      last_transaction_id: { lt: '0', hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
      block_id: { workchain: -1, shard: '-9223372036854775808', seqno: 7 },
      suspended: true,
    })
  })

  test('active without code is no contract', () => {
    const { init } = active(CODE, DATA) as Extract<ReturnType<typeof active>, { kind: 'active' }>
    const found = madeAccount({ kind: 'active', init: { ...init, code: null } })
    expect(contractPartsOf(found.account)).toEqual({
      status: 'uninitialized',
      code: null,
      data: null,
      frozenHash: null,
    })
  })

  test('extra currencies, the largest amount and ids beyond 31 bits', () => {
    const extra = [
      [239, 664_333_333_334n],
      [0xffff_fffe, (1n << 248n) - 1n],
    ] as const
    const view = fits(toAddressInformation(madeAccount({ kind: 'uninit' }, { extra }), false))
    expect(view.extra_currencies).toEqual([
      { '@type': 'extraCurrency', id: 239, amount: '664333333334' },
      { '@type': 'extraCurrency', id: -2, amount: `${(1n << 248n) - 1n}` },
    ])
  })
})

describe('the cell of an account in its shard', () => {
  const read = (bytes: string) => coreShardAccount(CoreCell.fromBase64(bytes).beginParse())

  test('is what the usual library reads', async () => {
    const read1 = read((await toShardAccountCell(madeAccount(active(CODE, DATA)).shardAccount, {})).bytes)
    expect(read1).toMatchObject({ lastTransactionLt: 42n, account: { storage: { lastTransLt: 43n } } })
    expect(read1.account?.storage.balance.coins).toBe(5_000_000_000n)
  })

  test('of one that does not exist has an empty account', async () => {
    expect(read((await toShardAccountCell(null, {})).bytes)).toMatchObject({
      account: undefined,
      lastTransactionLt: 0n,
      lastTransactionHash: 0n,
    })
  })
})

describe('suspended accounts', () => {
  const key = (workchain: number, fill: number) => {
    const bytes = Buffer.alloc(36, fill)
    bytes.writeInt32BE(workchain)
    return bytes
  }
  const suspendedKind = dictKind(dictBytesKey(288), unitValue)
  const list = {
    addresses: emptyDict(suspendedKind).set(key(0, 0x11), true).set(key(-1, 0x33), true),
    suspendedUntil: 1_803_189_600,
  }
  const at = (workchain: number, fill: number) => ({ workchain, hash: new Uint8Array(32).fill(fill) })

  test.each([
    ['in the list', at(0, 0x11), UTIME, true],
    ['in the list of the masterchain', at(-1, 0x33), UTIME, true],
    ['of another workchain', at(-1, 0x11), UTIME, false],
    ['not in the list', at(0, 0x12), UTIME, false],
    ['in the last second', at(0, 0x11), 1_803_189_599, true],
    ['when the time is over', at(0, 0x11), 1_803_189_600, false],
  ])('%s', (_, address, utime, expected) => {
    expect(isSuspended(address, list, utime)).toBe(expected)
  })

  test('no list', () => expect(isSuspended(at(0, 0x11), null, UTIME)).toBe(false))
})
