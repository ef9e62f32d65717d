// Wallets, told by the hash of their code.

import type { Result } from '../../../shared/registry.ts'
import type { accounts } from '../../../shared/v2/accounts.ts'
import { type Cell, CellError, openCell } from '../../cell/index.ts'
import type { ProvenAccount } from '../provenAccount.ts'
import { balanceOf, contractOf, toLastTransaction } from './account.ts'
import { toDigits } from './digits.ts'

/** How the data begins: a seqno; a seqno and an id; or those two behind a flag. */
type Layout = 'seqno' | 'seqno+id' | 'flag+seqno+id'

const WALLETS: Readonly<Record<string, readonly [name: string, Layout]>> = {
  a0cfc2c48aee16a271f2cfc0b7382d81756cecb1017d077faaab3bb602f6868c: ['wallet v1 r1', 'seqno'],
  d4902fcc9fad74698fa8e353220a68da0dcf72e32bcb2eb9ee04217c17d3062c: ['wallet v1 r2', 'seqno'],
  '587cc789eff1c84f46ec3797e45fc809a14ff5ae24f1e0c7a6a99cc9dc9061ff': ['wallet v1 r3', 'seqno'],
  '5c9a5e68c108e18721a07c42f9956bfb39ad77ec6d624b60c576ec88eee65329': ['wallet v2 r1', 'seqno'],
  fe9530d3243853083ef2ef0b4c2908c0abf6fa1c31ea243aacaa5bf8c7d753f1: ['wallet v2 r2', 'seqno'],
  b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581: ['wallet v3 r1', 'seqno+id'],
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599': ['wallet v3 r2', 'seqno+id'],
  '64dd54805522c5be8a9db59cea0105ccf0d08786ca79beb8cb79e880a8d7322d': ['wallet v4 r1', 'seqno+id'],
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: ['wallet v4 r2', 'seqno+id'],
  // Its seqno is one bit longer than read here, and its id begins with the id of the network.
  f3d7ca53493deedac28b381986a849403cbac3d2c584779af081065af0ac4b93: ['wallet v5 beta', 'flag+seqno+id'],
  '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f': ['wallet v5 r1', 'flag+seqno+id'],
}

export interface WalletData {
  readonly seqno?: number | undefined
  readonly wallet_id?: number | undefined
  readonly is_signature_allowed?: boolean | undefined
}

function readData(layout: Layout, data: Cell): WalletData {
  const slice = openCell(data)
  if (layout === 'seqno') return { seqno: slice.loadInt(32) }
  if (layout === 'seqno+id') return { seqno: slice.loadInt(32), wallet_id: slice.loadInt(32) }
  const is_signature_allowed = slice.loadBit()
  return { seqno: slice.loadInt(32), wallet_id: slice.loadInt(32), is_signature_allowed }
}

/** Anybody can deploy a wallet's code with other data, of which nothing is said then. */
function walletData(layout: Layout, data: Cell | null): WalletData {
  if (data === null) return {}
  try {
    return readData(layout, data)
  } catch (error) {
    if (error instanceof CellError) return {}
    throw error
  }
}

export interface Wallet extends WalletData {
  readonly wallet_type: string
}

/** Whether code, by the hash of it in hex, is a wallet's. */
export const isWalletCode = (codeHash: string): boolean => Object.hasOwn(WALLETS, codeHash)

/** What a wallet's data says, numbers with their sign; null for code that is no wallet's. */
export function walletOf(codeHash: string, data: Cell | null): Wallet | null {
  const known = Object.hasOwn(WALLETS, codeHash) ? WALLETS[codeHash] : undefined
  if (known === undefined) return null
  const [wallet_type, layout] = known
  return { wallet_type, ...walletData(layout, data) }
}

export function toWalletInformation({
  account,
  shardAccount,
}: Pick<ProvenAccount, 'account' | 'shardAccount'>): Result<typeof accounts.getWalletInformation> {
  const { status, code, data } = contractOf(account)
  const wallet = code === null ? null : walletOf(code.hashHex(), data)
  const head = {
    '@type': 'ext.accounts.walletInformation' as const,
    wallet: wallet !== null,
    balance: toDigits(balanceOf(account).grams),
    account_state: status,
    last_transaction_id: toLastTransaction(shardAccount),
  }
  return wallet === null ? head : { ...head, ...wallet }
}
