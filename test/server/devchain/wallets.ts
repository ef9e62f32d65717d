// Wallets of version 3 for tests: signed transfers without any library of wallets, and as many wallets as a test wants.

import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import {
  beginCell,
  type Cell,
  hashToBytes,
  sha256,
  stdAddress,
  storeAddress,
  writeBoc,
} from '../../../server/cell/index.ts'
import { createSigner, walletAccounts } from '../../../server/devchain/accounts/index.ts'
import { contractCode } from '../../../server/devchain/contracts/index.ts'
import type { AccountName } from '../../../server/devchain/index.ts'

const WALLET_ID = 698_983_191
const COIN = 1_000_000_000n

export interface Wallet {
  readonly address: AccountName
  readonly code: Cell
  readonly data: Cell
  readonly sign: (bytes: Uint8Array) => Uint8Array
  seqno: number
}

export interface Transfer {
  readonly to: AccountName
  readonly value: bigint
  readonly body?: Cell
  readonly bounce?: boolean
  readonly init?: { readonly code: Cell; readonly data: Cell; readonly library?: Cell }
  readonly mode?: number
}

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The wallet of a number, the same on every chain; not part of genesis. */
export function madeWallet(number: number): Wallet {
  const seed = hashToBytes(sha256(Buffer.from(`test wallet ${number}`)))
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  const code = contractCode('walletV3R2')
  const data = beginCell().storeUint(0, 32).storeUint(WALLET_ID, 32).storeBytes(publicKey).end()
  const init = beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).end()
  return {
    address: { workchain: 0, id: init.hashBytes() },
    code,
    data,
    sign: (bytes) => sign(null, bytes, key),
    seqno: 0,
  }
}

/** One of the three version 3 wallets every chain is born with. */
export function bornWallet(index: 0 | 1 | 2): Wallet {
  const account = walletAccounts(-3)[index]
  if (account === undefined || account.kind !== 'v3r2') throw new Error('Not a wallet of version 3')
  const { address, code, data, seed } = account
  return { address: { workchain: address.workchain, id: address.hash }, code, data, sign: createSigner(seed), seqno: 0 }
}

export const address = ({ workchain, id }: AccountName) => stdAddress(workchain, id)

/** An internal message as a contract writes it. */
function relaxed({ to, value, body, bounce = false, init }: Transfer): Cell {
  const builder = beginCell()
    .storeUint(bounce ? 0b0110 : 0b0100, 4)
    .storeUint(0, 2)
  storeAddress(builder, address(to)).storeCoins(value).storeBit(0).storeCoins(0n).storeCoins(0n).storeUint(0, 96)
  if (init === undefined) builder.storeBit(0)
  else {
    const state = beginCell().storeUint(0b0011, 4).storeRef(init.code).storeRef(init.data)
    builder.storeUint(0b11, 2).storeRef(state.storeMaybeRef(init.library ?? null).end())
  }
  return (body === undefined ? builder.storeBit(0) : builder.storeBit(1).storeRef(body)).end()
}

/** An external message with this body. */
export const external = (to: AccountName, body: Cell): Cell =>
  storeAddress(beginCell().storeUint(0b1000, 4), address(to)).storeCoins(0n).storeUint(0b01, 2).storeRef(body).end()

/** The signed message for up to four transfers; counts the wallet's seqno on. */
export function transferCell(wallet: Wallet, transfers: readonly Transfer[], seqno = wallet.seqno++): Cell {
  const unsigned = () => {
    const builder = beginCell().storeUint(WALLET_ID, 32).storeUint(0xffff_ffff, 32).storeUint(seqno, 32)
    for (const transfer of transfers) builder.storeUint(transfer.mode ?? 3, 8).storeRef(relaxed(transfer))
    return builder
  }
  const signature = wallet.sign(unsigned().end().hashBytes())
  return external(wallet.address, beginCell().storeBytes(signature).storeBuilder(unsigned()).end())
}

export const transfer = (wallet: Wallet, ...transfers: Transfer[]): Uint8Array =>
  writeBoc(transferCell(wallet, transfers))

export const coins = (amount: number): bigint => BigInt(Math.round(amount * 1e6)) * (COIN / 1_000_000n)

export const account = (byte: number, workchain = 0): AccountName => ({ workchain, id: new Uint8Array(32).fill(byte) })
