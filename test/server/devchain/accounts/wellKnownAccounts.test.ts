import { createPublicKey, verify } from 'node:crypto'
import { Address, internal, SendMode } from '@ton/core'
import { mnemonicToPrivateKey, mnemonicValidate } from '@ton/crypto'
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from '@ton/ton'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  broughtRequest,
  configOwnerKey,
  createSigner,
  describeAccounts,
  devWallets,
  faucetAccount,
  furtherWallet,
  USUAL_MODE,
  type WellKnownAccount,
  walletAccounts,
  walletOfKind,
  walletRequest,
} from '../../../../server/devchain/accounts/index.ts'
import { outgoingMessage } from '../../../../server/devchain/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { Actor, computed, core, exitCode, genesisTime, globalId, sent, startTvm } from '../actor.ts'

const wallets = walletAccounts(globalId)
const accounts = [faucetAccount(), ...wallets]
const coin = 1_000_000_000n
const receiver = Address.parseRaw(`0:${'ee'.repeat(32)}`)

/** The wrapper of @ton/ton for the same key. */
function wrapperOf({ kind, publicKey }: WellKnownAccount) {
  const key = { workchain: 0, publicKey: Buffer.from(publicKey) }
  if (kind === 'v3r2') return WalletContractV3R2.create(key)
  if (kind === 'v4r2') return WalletContractV4.create(key)
  return WalletContractV5R1.create({ ...key, walletId: { networkGlobalId: globalId } })
}

describe('keys', () => {
  test.each([...accounts, { name: 'config owner', ...configOwnerKey }])(
    '$name: words, seed and public key belong together',
    async ({ mnemonic, seed, publicKey }) => {
      const words = mnemonic.split(' ')
      expect(words).toHaveLength(24)
      expect(await mnemonicValidate(words)).toBe(true)
      const pair = await mnemonicToPrivateKey(words)
      const bytes = (value: string | Uint8Array) =>
        typeof value === 'string' ? Buffer.from(value, 'hex') : Buffer.from(value)
      expect(bytes(publicKey)).toEqual(pair.publicKey)
      expect(Buffer.concat([bytes(seed), bytes(publicKey)])).toEqual(pair.secretKey)
    },
  )

  test('behavior: all are different', () => {
    const keys = [...accounts.map(({ publicKey }) => Buffer.from(publicKey).toString('hex')), configOwnerKey.publicKey]
    expect(new Set(keys).size).toBe(12)
  })

  test('default: a signer’s signatures hold', () => {
    const { seed, publicKey } = faucetAccount()
    const prefix = Buffer.from('302a300506032b6570032100', 'hex')
    const key = createPublicKey({ key: Buffer.concat([prefix, publicKey]), format: 'der', type: 'spki' })
    const bytes = Buffer.from('some bytes')
    expect(verify(null, bytes, key, createSigner(seed)(bytes))).toBe(true)
  })

  test('error: a seed of another length', () => {
    expect(() => createSigner(new Uint8Array(64))).toThrow(RangeError)
  })
})

describe('wallets', () => {
  let executor: Emulator
  beforeAll(async () => {
    executor = await startTvm()
  })

  test('default: ten of three kinds, a million coins each', () => {
    expect(wallets.map(({ kind }) => kind).join(' ')).toBe('v3r2 v3r2 v3r2 v4r2 v4r2 v4r2 v4r2 v5r1 v5r1 v5r1')
    expect(wallets.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `wallet${index + 1}`))
    expect(wallets.every(({ balance }) => balance === 1_000_000n * coin)).toBe(true)
    expect(faucetAccount().balance).toBe(1_000_000_000n * coin)
  })

  test.each(wallets)('$name ($kind) is where its public wrapper looks for it, in the state it deploys', (wallet) => {
    const { address, init } = wrapperOf(wallet)
    expect(`0:${Buffer.from(wallet.address.hash).toString('hex')}`).toBe(address.toRawString())
    expect(wallet.code.hashHex()).toBe(init.code.hash().toString('hex'))
    expect(wallet.data.hashHex()).toBe(init.data.hash().toString('hex'))
  })

  test.each(wallets)('$name ($kind): the first signed transfer just works, so does the second', async (wallet) => {
    const wrapper = wrapperOf(wallet)
    const { address } = wrapper
    const actor = new Actor(executor, { address, code: wallet.code, data: wallet.data, balance: wallet.balance })
    const provider = actor.provider()
    const { secretKey } = await mnemonicToPrivateKey(wallet.mnemonic.split(' '))
    for (const seqno of [0, 1]) {
      expect(await wrapper.getSeqno(provider)).toBe(seqno)
      await wrapper.sendTransfer(provider, {
        seqno,
        secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
        timeout: genesisTime + 60,
        messages: [internal({ to: receiver, value: 5n * coin, bounce: false, body: 'hello' })],
      })
      const transaction = actor.last ?? computed({ refused: null })
      expect(exitCode(transaction)).toBe(0)
      expect(sent(transaction)).toMatchObject([{ to: receiver.toRawString(), value: 5n * coin }])
    }
    expect(await wrapper.getSeqno(provider)).toBe(2)
  })

  test.each(wallets.filter(({ name }) => ['wallet1', 'wallet4', 'wallet8'].includes(name)))(
    'error: $name ($kind) refuses the key of another wallet',
    async (wallet) => {
      const { address } = wrapperOf(wallet)
      const actor = new Actor(executor, { address, code: wallet.code, data: wallet.data })
      const stranger = wallets[1] ?? wallet
      const secretKey = Buffer.concat([stranger.seed, stranger.publicKey])
      const transfer = { seqno: 0, secretKey, sendMode: 3, timeout: genesisTime + 60, messages: [] }
      await expect(wrapperOf(wallet).sendTransfer(actor.provider(), transfer)).rejects.toThrow('Refused')
    },
  )

  test('args: globalId changes the address of v5 wallets alone', () => {
    const same = walletAccounts(-3).map(
      ({ address }, index) => Buffer.compare(address.hash, wallets[index]?.address.hash ?? address.hash) === 0,
    )
    expect(same).toEqual([true, true, true, true, true, true, true, false, false, false])
  })

  test.each([-239, -3, 1, -(2 ** 31), 2 ** 31 - 1])('args: globalId %i, as @ton/ton reckons it', (network) => {
    const [wallet] = walletAccounts(network).filter(({ kind }) => kind === 'v5r1')
    const publicKey = Buffer.from(wallet?.publicKey ?? [])
    const wrapper = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: network } })
    expect(Buffer.from(wallet?.address.hash ?? [])).toEqual(wrapper.address.hash)
  })
})

describe('wallets of every kind', () => {
  const [owner = faucetAccount()] = wallets
  const publicKey = Buffer.from(owner.publicKey)
  const wrappers = {
    v1r1: WalletContractV1R1.create({ workchain: 0, publicKey }),
    v1r2: WalletContractV1R2.create({ workchain: 0, publicKey }),
    v1r3: WalletContractV1R3.create({ workchain: 0, publicKey }),
    v2r1: WalletContractV2R1.create({ workchain: 0, publicKey }),
    v2r2: WalletContractV2R2.create({ workchain: 0, publicKey }),
    v3r1: WalletContractV3R1.create({ workchain: 0, publicKey }),
    v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }),
    v4r2: WalletContractV4.create({ workchain: 0, publicKey }),
    v5r1: WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: globalId } }),
  }
  let executor: Emulator
  beforeAll(async () => {
    executor = await startTvm()
  })

  test('are all there are in @ton/ton with code of their own, and a highload one', () => {
    expect([...Object.keys(wrappers), 'highload']).toEqual([...devWallets])
  })

  test.each(Object.entries(wrappers))('%s is where its public wrapper looks for it', (kind, { address }) => {
    const wallet = walletOfKind(owner, kind as keyof typeof wrappers, { globalId })
    expect(`0:${Buffer.from(wallet.address.hash).toString('hex')}`).toBe(address.toRawString())
  })

  test.each(devWallets)('%s sends what its owner has signed here, time after time', (kind) => {
    const wallet = walletOfKind(owner, kind, { globalId })
    const address = new Address(0, Buffer.from(wallet.address.hash))
    const actor = new Actor(executor, { address, code: wallet.code, data: wallet.data, balance: 100n * coin })
    const to = { workchain: 0, hash: new Uint8Array(32).fill(0xee) }
    for (const seqno of [0, 1]) {
      const message = outgoingMessage({ to, value: 5n * coin, bounce: false })
      const request = { seqno, validUntil: genesisTime + 60, messages: [{ mode: USUAL_MODE, message }] }
      const transaction = computed(actor.message(core(walletRequest(wallet, request))))
      expect(exitCode(transaction)).toBe(0)
      const first = kind === 'highload' ? address.toRawString() : receiver.toRawString()
      expect(sent(transaction).map(({ to }) => to)).toEqual([first])
    }
  })

  test('default: a signed request delivered by another account; the next request differs', () => {
    const wallet = wallets.find(({ kind }) => kind === 'v5r1') ?? faucetAccount()
    const address = new Address(0, Buffer.from(wallet.address.hash))
    const actor = new Actor(executor, { address, code: wallet.code, data: wallet.data, balance: coin })
    const message = outgoingMessage({ to: { workchain: 0, hash: new Uint8Array(32).fill(0xee) }, value: coin / 2n })
    const request = { seqno: 0, validUntil: genesisTime + 60, messages: [{ mode: USUAL_MODE, message }] }
    const body = core(broughtRequest(wallet, request))
    expect(sent(actor.receive({ from: receiver, value: coin, body })).map(({ to }) => to)).toEqual([
      receiver.toRawString(),
    ])
    // Its number was used.
    expect(exitCode(actor.receive({ from: receiver, value: coin, body }))).toBe(133)
    const forged = core(broughtRequest({ ...wallet, seed: new Uint8Array(32) }, { ...request, seqno: 1 }))
    expect(sent(actor.receive({ from: receiver, value: coin, body: forged }))).toEqual([])
    expect(() => broughtRequest(wallets[0] ?? faucetAccount(), request)).toThrow('takes no requests inside messages')
  })
})

describe('further wallets of the same keys', () => {
  const numbered = (wallet: WellKnownAccount, number: number) => {
    const key = { workchain: 0, publicKey: Buffer.from(wallet.publicKey) }
    if (wallet.kind === 'v3r2') return WalletContractV3R2.create({ ...key, walletId: 698_983_191 + number })
    if (wallet.kind === 'v4r2') return WalletContractV4.create({ ...key, walletId: 698_983_191 + number })
    const context = { walletVersion: 'v5r1', workchain: 0, subwalletNumber: number } as const
    return WalletContractV5R1.create({ ...key, walletId: { networkGlobalId: globalId, context } })
  }

  test.each([1, 4, 8])('default: of wallet %i, where their public wrappers look for them', (place) => {
    const wallet = wallets[place - 1] ?? faucetAccount()
    for (const number of [1, 2, 500]) {
      const further = furtherWallet(wallet, globalId, number)
      expect(`0:${Buffer.from(further.address.hash).toString('hex')}`).toBe(
        numbered(wallet, number).address.toRawString(),
      )
      expect([further.name, further.balance]).toEqual([`${wallet.name}-${number}`, 0n])
    }
  })

  test.each([1, 4, 8])('args: workchain: that of wallet %i in the masterchain', (place) => {
    const wallet = wallets[place - 1] ?? faucetAccount()
    if (wallet.kind === 'faucet') throw new Error(`There is no wallet ${place}`)
    const there = walletOfKind(wallet, wallet.kind, { globalId, workchain: -1 })
    const key = { workchain: -1, publicKey: Buffer.from(wallet.publicKey) }
    const context = { walletVersion: 'v5r1', workchain: -1, subwalletNumber: 0 } as const
    const known = {
      v3r2: WalletContractV3R2.create(key),
      v4r2: WalletContractV4.create(key),
      v5r1: WalletContractV5R1.create({ ...key, walletId: { networkGlobalId: globalId, context } }),
    }
    const { hash } = Object.entries(known).find(([kind]) => kind === wallet.kind)?.[1].address ?? {}
    expect([there.address.workchain, Buffer.from(there.address.hash)]).toEqual([-1, hash])
  })

  test('error: more messages than a wallet sends at once, and the faucet', () => {
    const messages = Array.from({ length: 5 }, () => ({ mode: USUAL_MODE, message: faucetAccount().code }))
    const request = { seqno: 0, validUntil: genesisTime, messages }
    const [first = faucetAccount()] = wallets
    expect(() => walletRequest(first, request)).toThrow('5 messages are more than a wallet v3r2 sends at once')
    expect(() => walletRequest(faucetAccount(), request)).toThrow(RangeError)
  })
})

describe('describeAccounts', () => {
  const described = describeAccounts(globalId)

  test('default: the faucet first, then the wallets', () => {
    expect(described.map(({ name }) => name)).toEqual(['faucet', ...wallets.map(({ name }) => name)])
  })

  test.each(described)(
    '$name: plain texts that agree with each other',
    ({ kind, address, friendly, bounceable, mnemonic, publicKey, balance }) => {
      const isBounceable = kind === 'faucet'
      expect(Address.parseFriendly(friendly)).toMatchObject({ isBounceable, isTestOnly: true })
      expect(Address.parseFriendly(bounceable)).toMatchObject({ isBounceable: true, isTestOnly: false })
      expect(Address.parse(bounceable).toRawString()).toBe(address)
      expect(Address.parse(friendly).toRawString()).toBe(address)
      expect(mnemonic).toMatch(/^[a-z]+( [a-z]+){23}$/)
      expect(publicKey).toMatch(/^[0-9a-f]{64}$/)
      expect(balance).toMatch(/^10{15}$|^10{18}$/)
    },
  )
})
