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
import {
  beginCell,
  buildDict,
  type Cell,
  dictKind,
  hashFromBytes,
  uintKey,
  unitValue,
} from '../../../server/cell/index.ts'
import { knownCodes } from '../../../server/interfaces/codeHashes.ts'
import {
  detectInterfaces,
  isSimpleWallet,
  methodId,
  methodIdsOf,
  walletDataOf,
  walletKindOf,
  walletKinds,
} from '../../../server/interfaces/index.ts'
import { fromBase64 } from '../../../shared/base64.ts'
import { methodNames } from '../../../shared/methodNames.ts'
import { cellOf } from '../../setup/madeAccounts.ts'

const order = { workchain: 0, publicKey: Buffer.alloc(32, 5) }
const wallets = {
  wallet_v1r1: WalletContractV1R1.create(order),
  wallet_v1r2: WalletContractV1R2.create(order),
  wallet_v1r3: WalletContractV1R3.create(order),
  wallet_v2r1: WalletContractV2R1.create(order),
  wallet_v2r2: WalletContractV2R2.create(order),
  wallet_v3r1: WalletContractV3R1.create(order),
  wallet_v3r2: WalletContractV3R2.create(order),
  wallet_v4r2: WalletContractV4.create(order),
  wallet_v5_beta: WalletContractV5Beta.create(order),
  wallet_v5r1: WalletContractV5R1.create(order),
}
const codeOf = (name: keyof typeof wallets): Cell => {
  const { code } = wallets[name].init
  if (!code) throw new Error(`${name} has no code`)
  return cellOf(code)
}
const unknown = hashFromBytes(new Uint8Array(32))
const ids = (...names: string[]): number[] => names.map(methodId)

/** `SETCP0 DICTPUSHCONST`, as compilers write it. */
const tableOf = (root: Cell, bits = 19): Cell =>
  beginCell()
    .storeUint(0xff00, 16)
    .storeUint(0xf4a0 >> 3, 13)
    .storeBit(1)
    .storeRef(root)
    .storeUint(bits, 10)
    .end()

describe('tables', () => {
  const hashes = knownCodes.flatMap((one) => one.hashes)

  test('every hash has 32 bytes and stands once', () => {
    expect(hashes.map((hash) => fromBase64(hash)?.length)).toEqual(hashes.map(() => 32))
    const all = [...hashes.map((hash) => hashFromBytes(fromBase64(hash) ?? new Uint8Array())), ...walletKinds.keys()]
    expect(new Set(all).size).toBe(all.length)
    expect(walletKinds.size).toBe(11)
    expect(all.every((hash) => hash.length === 32 && detectInterfaces(hash, null).length === 1)).toBe(true)
  })

  test('every interface asks for methods, each once', () => {
    for (const [name, methods] of Object.entries(methodNames)) {
      expect(methods.length, name).toBeGreaterThan(0)
      expect(new Set(methods).size, name).toBe(methods.length)
      expect(detectInterfaces(unknown, methods.map(methodId)), name).toContain(name)
    }
  })

  test('names are plain words', () => {
    const names = [
      ...knownCodes.map(({ interfaceName }) => interfaceName),
      ...Object.keys(methodNames),
      ...Object.values(methodNames).flat(),
    ]
    expect(names.filter((name) => !/^[A-Za-z]\w*$/.test(name))).toEqual([])
  })
})

describe('interfaces', () => {
  test.each(Object.keys(wallets) as (keyof typeof wallets)[])('%s by its code', (name) => {
    const code = codeOf(name)
    expect(detectInterfaces(code.hash(), methodIdsOf(code))).toEqual([name])
    expect(walletKindOf(code.hash())?.interfaceName).toBe(name)
    expect(isSimpleWallet(code.hash())).toBe(true)
  })

  test('one that goes with the hash hides those that go with the methods', () => {
    const governed = hashFromBytes(fromBase64('iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=') ?? new Uint8Array())
    expect(detectInterfaces(governed, ids('get_nft_data'))).toEqual(['jetton_wallet_governed'])
    expect(isSimpleWallet(governed)).toBe(false)
  })

  test('all that fit the methods, in order', () => {
    expect(detectInterfaces(unknown, ids('get_sale_data'))).toEqual(['nft_auction_v1', 'nft_sale'])
    expect(detectInterfaces(unknown, ids('get_jetton_data', 'get_wallet_address', 'other'))).toEqual(['jetton_master'])
    expect(detectInterfaces(unknown, ids('get_jetton_data'))).toEqual([])
    expect(detectInterfaces(unknown, null)).toEqual([])
    expect(detectInterfaces(unknown, [])).toEqual([])
  })

  test('ids are those of known methods', () => {
    expect(ids('seqno', 'get_public_key', 'get_wallet_data')).toEqual([85143, 78748, 97026])
  })
})

describe('methods of a contract', () => {
  test('wallet v4 r2', () => {
    expect(methodIdsOf(codeOf('wallet_v4r2'))).toEqual([0, 76407, 78748, 81467, 85143, 107653, 524287])
  })

  test('none in code that begins otherwise, or in a library', () => {
    expect(methodIdsOf(codeOf('wallet_v1r1'))).toBeNull()
    expect(methodIdsOf(codeOf('wallet_v5r1'))).not.toBeUndefined()
    expect(methodIdsOf(beginCell().end())).toBeNull()
    const library = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32).fill(7)).end(true)
    expect(methodIdsOf(library)).toBeNull()
    expect(methodIdsOf(tableOf(library))).toBeNull()
  })

  test('an empty table, and keys of other lengths', () => {
    const empty = beginCell()
      .storeUint(0xff00, 16)
      .storeUint(0xf4a0 >> 3, 13)
      .storeBit(0)
      .storeUint(19, 10)
      .end()
    expect(methodIdsOf(empty)).toEqual([])
    const short = buildDict(dictKind(uintKey(8), unitValue), [
      [200, true],
      [3, true],
    ])
    expect(short.root && methodIdsOf(tableOf(short.root, 8))).toEqual([3, 200])
    expect(short.root && methodIdsOf(tableOf(short.root, 19))).toBeNull()
    expect(short.root && methodIdsOf(tableOf(short.root, 1023))).toBeNull()
  })

  test('a few cells that claim half a million methods', () => {
    let node = beginCell().storeUint(0, 2).end()
    for (let depth = 0; depth < 19; depth++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
    expect(methodIdsOf(tableOf(node))).toBeNull()
  })

  test('code cut short anywhere', () => {
    const code = codeOf('wallet_v4r2')
    const data = code.data()
    for (let bits = 0; bits < code.bits; bits++) {
      const builder = beginCell().storeRange(data, 0, bits)
      expect(methodIdsOf(builder.end())).toBeNull()
    }
  })
})

describe('data of wallets', () => {
  test('unsigned numbers', () => {
    const kind = walletKindOf(codeOf('wallet_v5r1').hash())
    const data = beginCell().storeBit(1).storeUint(0xffffffff, 32).storeUint(2147483409, 32).end()
    expect(kind && walletDataOf(kind, data)).toEqual({
      seqno: 2 ** 32 - 1,
      walletId: 2147483409,
      isSignatureAllowed: true,
    })
    const first = walletKindOf(codeOf('wallet_v1r1').hash())
    expect(first && walletDataOf(first, data)).toEqual({ seqno: 0xffffffff, walletId: null, isSignatureAllowed: null })
  })

  test('data of something else', () => {
    const kind = walletKindOf(codeOf('wallet_v3r1').hash())
    expect(kind && walletDataOf(kind, beginCell().storeUint(1, 40).end())).toBeNull()
    expect(kind && walletDataOf(kind, beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32)).end(true))).toBeNull()
    expect(walletKindOf(unknown)).toBeNull()
  })
})
