// The accounts every chain is born with: ten wallets of the kinds in use, and the faucet.

import { toFriendly, toRaw } from '../../../shared/address.ts'
import { fromHex } from '../../../shared/hex.ts'
import { beginCell, type Cell } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { contractCode, stateInit } from '../contracts/index.ts'
import { type DevWallet, type WalletPlace, walletCode, walletData, walletIdIn } from './devWallets.ts'
import { faucetKey, type WellKnownKey, walletKeys } from './wellKnownKeys.ts'

export type AccountKind = DevWallet | 'faucet'

export interface WellKnownAccount {
  /** `wallet1` to `wallet10`, `faucet`. */
  readonly name: string
  readonly kind: AccountKind
  readonly address: AccountId
  readonly publicKey: Uint8Array
  /** Ed25519 seed, 32 bytes. */
  readonly seed: Uint8Array
  readonly mnemonic: string
  /** Nanotons at genesis. */
  readonly balance: bigint
  /** Extra currencies at genesis: amounts by number. */
  readonly currencies: ReadonlyMap<number, bigint>
  readonly code: Cell
  readonly data: Cell
}

/** An account in text form, for people and other services. */
export interface AccountDescription {
  readonly name: string
  readonly kind: AccountKind
  /** Raw form. */
  readonly address: string
  /** As wallets of test networks print it: not bounceable, for tests only. */
  readonly friendly: string
  readonly bounceable: string
  readonly publicKey: string
  readonly mnemonic: string
  /** The wallet id; that of v5r1 contains the network's global id. */
  readonly walletId?: number
  /** Nanotons at genesis, in digits. */
  readonly balance: `${bigint}`
}

const coin = 1_000_000_000n
const WALLET_BALANCE = 1_000_000n * coin
const FAUCET_BALANCE = 1_000_000_000n * coin
/** The extra currency a chain is born with, all of it in one wallet. */
export const EXTRA_CURRENCY = 100
const EXTRA_AMOUNT = 1_000_000n * coin
const EXTRA_OWNER = 'wallet7'
const NO_CURRENCIES: ReadonlyMap<number, bigint> = new Map()
export const FAUCET_WALLET_ID = 1
/** Fixed, as those of system contracts are: a published address outlives changes of the code, and old chains have it too. */
const FAUCET_HASH = 'ffae3dda33607e03ee8c40426cca49ca3807664c3f7a6a3e6af31a711b6f9d1a'
const kinds: readonly DevWallet[] = ['v3r2', 'v3r2', 'v3r2', 'v4r2', 'v4r2', 'v4r2', 'v4r2', 'v5r1', 'v5r1', 'v5r1']

const faucetData = (publicKey: Uint8Array): Cell =>
  beginCell()
    .storeBytes(publicKey)
    .storeUint(FAUCET_WALLET_ID, 32)
    .storeUint(0, 64 + 16)
    .storeRepeat(0, 2)
    .end()

const addressOf = (code: Cell, data: Cell, workchain = 0): AccountId => ({
  workchain,
  hash: stateInit({ code, data }).hashBytes(),
})

const bytesOf = (hex: string): Uint8Array => {
  const bytes = fromHex(hex)
  if (bytes === null) throw new RangeError(`${hex} is not hexadecimal`)
  return bytes
}

function createAccount(name: string, kind: AccountKind, key: WellKnownKey, globalId: number): WellKnownAccount {
  const publicKey = bytesOf(key.publicKey)
  const code = contractCode(kind === 'faucet' ? 'faucet' : walletCode(kind))
  const data = kind === 'faucet' ? faucetData(publicKey) : walletData(kind, publicKey, { globalId })
  const balance = kind === 'faucet' ? FAUCET_BALANCE : WALLET_BALANCE
  const address = kind === 'faucet' ? { workchain: 0, hash: bytesOf(FAUCET_HASH) } : addressOf(code, data)
  const currencies = name === EXTRA_OWNER ? new Map([[EXTRA_CURRENCY, EXTRA_AMOUNT]]) : NO_CURRENCIES
  const keys = { publicKey, seed: bytesOf(key.seed), mnemonic: key.mnemonic }
  return { name, kind, address, ...keys, balance, currencies, code, data }
}

/** The faucet; the same on every chain. */
export const faucetAccount = (): WellKnownAccount => createAccount('faucet', 'faucet', faucetKey, 0)

/** The ten wallets. Those of v5 have an address that depends on the network's global id. */
export const walletAccounts = (globalId: number): WellKnownAccount[] =>
  walletKeys.map((key, index) => createAccount(`wallet${index + 1}`, kinds[index] ?? 'v4r2', key, globalId))

/** Another wallet of any kind with the same key: not deployed at genesis, and without TON. */
export function walletOfKind(account: WellKnownAccount, kind: DevWallet, place: WalletPlace): WellKnownAccount {
  const { publicKey } = account
  const code = contractCode(walletCode(kind))
  const data = walletData(kind, publicKey, place)
  const name = `${account.name}-${kind === account.kind ? '' : `${kind}-`}${place.number ?? 0}`
  const address = addressOf(code, data, place.workchain)
  return { ...account, kind, name, address, balance: 0n, currencies: NO_CURRENCIES, code, data }
}

/** Another wallet of the same key and kind. Numbers are 1 to 32767. */
export function furtherWallet(account: WellKnownAccount, globalId: number, number: number): WellKnownAccount {
  const { kind } = account
  if (kind === 'faucet') throw new RangeError('There is one faucet')
  return walletOfKind(account, kind, { globalId, number })
}

/** Faucet and wallets in plain text, with keys and mnemonics. */
export function describeAccounts(globalId: number): AccountDescription[] {
  return [faucetAccount(), ...walletAccounts(globalId)].map(
    ({ name, kind, address, publicKey, mnemonic, balance, data }) => ({
      name,
      kind,
      address: toRaw(address),
      // As v3 prints them: only addresses of usual wallets are non-bounceable.
      friendly: toFriendly({ ...address, bounceable: kind === 'faucet', testOnly: true }),
      bounceable: toFriendly({ ...address, bounceable: true, testOnly: false }),
      publicKey: Buffer.from(publicKey).toString('hex'),
      mnemonic,
      balance: `${balance}`,
      ...(kind === 'faucet' ? {} : { walletId: walletIdIn(kind, data) | 0 }),
    }),
  )
}
