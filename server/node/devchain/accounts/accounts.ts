// The accounts every chain is born with: ten wallets of the kinds in use, and the faucet.

import { toFriendly, toRaw } from '../../../../shared/address.ts'
import { fromHex } from '../../../../shared/hex.ts'
import { beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountAddress, type ContractName, contractCode, stateInit } from '../contracts/index.ts'
import { faucetKey, type WellKnownKey, walletKeys } from './keys.ts'

export type AccountKind = 'v3r2' | 'v4r2' | 'v5r1' | 'faucet'

export interface WellKnownAccount {
  /** `wallet1` to `wallet10`, `faucet`. */
  readonly name: string
  readonly kind: AccountKind
  /** In the basechain. */
  readonly address: AccountAddress
  readonly publicKey: Uint8Array
  /** Ed25519 seed, 32 bytes. */
  readonly seed: Uint8Array
  readonly mnemonic: string
  /** Nanotons at genesis. */
  readonly balance: bigint
  readonly code: Cell
  readonly data: Cell
}

/** The same as a person or a caller of another service wants it. */
export interface AccountDescription {
  readonly name: string
  readonly kind: AccountKind
  readonly address: string
  readonly friendly: string
  readonly publicKey: string
  readonly mnemonic: string
  /** Nanotons at genesis, in digits. */
  readonly balance: string
}

const coin = 1_000_000_000n
const WALLET_BALANCE = 1_000_000n * coin
const FAUCET_BALANCE = 1_000_000_000n * coin
/** What wallets of v3 and v4 in the basechain are told apart by; wallet software knows no other. */
const WALLET_ID = 698_983_191
export const FAUCET_WALLET_ID = 1
const kinds: readonly AccountKind[] = ['v3r2', 'v3r2', 'v3r2', 'v4r2', 'v4r2', 'v4r2', 'v4r2', 'v5r1', 'v5r1', 'v5r1']

const codes: Readonly<Record<AccountKind, ContractName>> = {
  v3r2: 'walletV3R2',
  v4r2: 'walletV4R2',
  v5r1: 'walletV5R1',
  faucet: 'faucet',
}

/** Wallet v5 mixes the network into its id: of workchain 0, the first of its owner unless there is a number. */
const walletIdV5 = ({ globalId, number = 0 }: Place): number => globalId ^ (0x8000_0000 | number)

/** Which wallet of a key it is, and on which network. */
interface Place {
  readonly globalId: number
  /** 0, as wallet software has it, when absent; up to 32767. */
  readonly number?: number
}

function initialData(kind: AccountKind, publicKey: Uint8Array, place: Place): Cell {
  const walletId = WALLET_ID + (place.number ?? 0)
  switch (kind) {
    case 'v3r2':
      return beginCell().storeUint(0, 32).storeUint(walletId, 32).storeBytes(publicKey).end()
    case 'v4r2':
      return beginCell().storeUint(0, 32).storeUint(walletId, 32).storeBytes(publicKey).storeBit(0).end()
    case 'v5r1':
      return beginCell()
        .storeBit(1)
        .storeUint(0, 32)
        .storeInt(walletIdV5(place), 32)
        .storeBytes(publicKey)
        .storeBit(0)
        .end()
    case 'faucet':
      return beginCell().storeBytes(publicKey).storeUint(FAUCET_WALLET_ID, 32).storeUint(0, 64).storeRepeat(0, 2).end()
  }
}

const addressOf = (code: Cell, data: Cell): AccountAddress => ({
  workchain: 0,
  hash: stateInit({ code, data }).hashBytes(),
})

const bytesOf = (hex: string): Uint8Array => {
  const bytes = fromHex(hex)
  if (bytes === null) throw new RangeError(`${hex} is not hexadecimal`)
  return bytes
}

function createAccount(name: string, kind: AccountKind, key: WellKnownKey, globalId: number): WellKnownAccount {
  const publicKey = bytesOf(key.publicKey)
  const code = contractCode(codes[kind])
  const data = initialData(kind, publicKey, { globalId })
  const balance = kind === 'faucet' ? FAUCET_BALANCE : WALLET_BALANCE
  const address = addressOf(code, data)
  return { name, kind, address, publicKey, seed: bytesOf(key.seed), mnemonic: key.mnemonic, balance, code, data }
}

/** The faucet; the same on every chain. */
export const faucetAccount = (): WellKnownAccount => createAccount('faucet', 'faucet', faucetKey, 0)

/** The ten wallets. Those of v5 have an address that depends on the network's global id. */
export const walletAccounts = (globalId: number): WellKnownAccount[] =>
  walletKeys.map((key, index) => createAccount(`wallet${index + 1}`, kinds[index] ?? 'v4r2', key, globalId))

/** Another wallet of the same key: not there at genesis, and without coins. Numbers are 1 to 32767. */
export function furtherWallet(account: WellKnownAccount, globalId: number, number: number): WellKnownAccount {
  const { kind, publicKey, code } = account
  const data = initialData(kind, publicKey, { globalId, number })
  return { ...account, name: `${account.name}-${number}`, address: addressOf(code, data), balance: 0n, data }
}

/** Faucet and wallets in plain text: keys, words and all. */
export function describeAccounts(globalId: number): AccountDescription[] {
  return [faucetAccount(), ...walletAccounts(globalId)].map(
    ({ name, kind, address, publicKey, mnemonic, balance }) => ({
      name,
      kind,
      address: toRaw(address),
      friendly: toFriendly({ ...address, bounceable: false, testOnly: false }),
      publicKey: Buffer.from(publicKey).toString('hex'),
      mnemonic,
      balance: String(balance),
    }),
  )
}
