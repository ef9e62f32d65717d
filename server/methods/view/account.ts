// Accounts as they go over the wire.

import type { z } from 'zod'
import type { ParsedAddress } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Result } from '../../../shared/registry.ts'
import type { accountsV2 } from '../../../shared/v2/accounts.ts'
import type { ExtraCurrency, TransactionId } from '../../../shared/v2/tonlib.ts'
import { base64Of, type Cell, isLargeTree, writeBocText } from '../../cell/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import type { AccountAt } from '../../node/index.ts'
import {
  type Account,
  type ConfigValue,
  type CurrencyCollection,
  type ShardAccount,
  ZERO_CURRENCY,
} from '../../tlb/index.ts'
import { largeBagsOf, NO_BAGS, type WrittenBags, writtenBag } from '../stack/writtenBags.ts'
import { shardAccountBoc } from '../tvm/trialAccount.ts'
import { toBlockId, toTransactionId } from './ids.ts'

export type AccountStatusOfV2 = Result<typeof accountsV2.getAddressState>

/** Code and data of a contract, or the hash of what was frozen. */
export interface ContractParts {
  readonly status: AccountStatusOfV2
  readonly code: Cell | null
  readonly data: Cell | null
  readonly frozenHash: Uint8Array | null
}

/** An account without code is no contract, whatever its status. */
export function contractPartsOf(account: Account | null): ContractParts {
  const state = account?.storage.state
  if (state?.kind === 'frozen') return { status: 'frozen', code: null, data: null, frozenHash: state.stateHash }
  if (state?.kind === 'active' && state.init.code !== null)
    return { status: 'active', code: state.init.code, data: state.init.data, frozenHash: null }
  return { status: 'uninitialized', code: null, data: null, frozenHash: null }
}

export const toCellText = (cell: Cell | null, bags = NO_BAGS): string =>
  cell === null ? '' : bags.has(cell) ? base64Of(writtenBag(cell, bags)) : writeBocText(cell)

/** Code and data of an account that are large, written in slices before the rest of it. */
export function bagsOfAccount(
  { account }: Pick<AccountAt, 'account'>,
  slicing: Slicing,
): WrittenBags | Promise<WrittenBags> {
  const { code, data } = contractPartsOf(account)
  if (code === null && data === null) return NO_BAGS
  const large = [code, data].filter((cell) => cell !== null && isLargeTree(cell))
  return large.length === 0 ? NO_BAGS : largeBagsOf(large, slicing)
}

export const toMaybeHash = (hash: Uint8Array | null): string => (hash === null ? '' : base64Of(hash))

/** v2 says that there is none by an empty text, v3 and v4 by null. */
export const textOrNull = (text: string): string | null => (text === '' ? null : text)

export const balanceText = (account: Account | null): CurrencyCollection => account?.storage.balance ?? ZERO_CURRENCY

/** The last transaction of an account; zeros when it never had one. */
export const toLastTransaction = (shardAccount: ShardAccount | null): z.output<typeof TransactionId> =>
  toTransactionId(shardAccount?.lastTransLt, shardAccount?.lastTransHash)

/** Ids are signed on the wire. Most accounts have none, and to walk none takes as long as a balance. */
export const toExtraCurrencies = ({ other }: CurrencyCollection): z.output<typeof ExtraCurrency>[] =>
  other.root === null
    ? []
    : [...other].map(([id, amount]) => ({ '@type': 'extraCurrency', id: id | 0, amount: toDigits(amount) }))

/** Whether an address is in the list while the list is in force. */
export function isSuspended(
  { workchain, hash }: Pick<ParsedAddress, 'workchain' | 'hash'>,
  list: ConfigValue<44> | null,
  utime: number,
): boolean {
  if (list === null || utime >= list.suspendedUntil) return false
  const key = new Uint8Array(36)
  new DataView(key.buffer).setInt32(0, workchain)
  key.set(hash, 4)
  return list.addresses.has(key)
}

export function toAddressInformation(
  { block, account, shardAccount, utime }: AccountAt,
  suspended: boolean,
  bags = NO_BAGS,
): Result<typeof accountsV2.getAddressInformation> {
  const { status, code, data, frozenHash } = contractPartsOf(account)
  const balance = balanceText(account)
  return {
    '@type': 'raw.fullAccountState',
    balance: toDigits(balance.grams),
    extra_currencies: toExtraCurrencies(balance),
    last_transaction_id: toLastTransaction(shardAccount),
    block_id: toBlockId(block),
    code: toCellText(code, bags),
    data: toCellText(data, bags),
    frozen_hash: toMaybeHash(frozenHash),
    sync_utime: utime,
    state: status,
    suspended,
  }
}

/** One that does not exist is written as an empty account without transactions. */
export async function toShardAccountCell(
  shardAccount: ShardAccount | null,
  slicing: Slicing,
): Promise<Result<typeof accountsV2.getShardAccountCell>> {
  return { '@type': 'tvm.cell', bytes: base64Of(await shardAccountBoc(shardAccount, slicing)) }
}
