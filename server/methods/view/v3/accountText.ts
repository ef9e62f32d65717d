// Accounts as v3 writes them: as text, from what the database sent.

import type { ByteSpan, ShownAccount, TextBytes } from '../../../store/index.ts'
import { CLOSE_OBJECT } from '../jsonCodes.ts'
import {
  addAccount,
  addCodes,
  addDigits,
  addHash,
  addNamedJson,
  bufferOfSpan,
  firstMember,
  member,
} from './fieldBytes.ts'
import { storedWallet } from './wallet.ts'

const ADDRESS = firstMember('address')
const STATE_HASH = member('account_state_hash')
const BALANCE = member('balance')
const CURRENCIES = member('extra_currencies')
const STATUS = member('status')
const LAST_HASH = member('last_transaction_hash')
const LAST_LT = member('last_transaction_lt')
const METHODS = member('contract_methods')
const INTERFACES = member('interfaces')
const FROZEN_HASH = member('frozen_hash')
const DATA_HASH = member('data_hash')
const CODE_HASH = member('code_hash')
const DATA = member('data_boc')
const CODE = member('code_boc')

/** Stored with a sign. */
const methodsOf = (methods: ShownAccount['methods']): readonly number[] | null =>
  methods?.map((id) => id >>> 0).sort((a, b) => a - b) ?? null

const IS_WALLET = member('is_wallet')

const maybe = (span: ByteSpan | null): Uint8Array | null => span && bufferOfSpan(span)

export function addWalletState(shown: ShownAccount, to: TextBytes): void {
  const wallet = storedWallet({ codeHash: maybe(shown.codeHash), data: maybe(shown.data) })
  addAccount(ADDRESS, shown.account, to)
  addNamedJson(IS_WALLET, wallet !== null, to)
  addDigits(BALANCE, shown.balance, to)
  addNamedJson(STATUS, shown.status, to)
  addHash(LAST_HASH, shown.lastTxHash, to)
  addDigits(LAST_LT, shown.lastTxLt, to)
  if (wallet !== null) to.string(`,${JSON.stringify(wallet).slice(1, -1)}`)
  // Left out without a value.
  if (shown.extra !== '{}') {
    addCodes(CURRENCIES, to)
    to.string(shown.extra)
  }
  if (shown.codeHash !== null) addHash(CODE_HASH, shown.codeHash, to)
  to.byte(CLOSE_OBJECT)
}

export function addAccountState(shown: ShownAccount, to: TextBytes): void {
  addAccount(ADDRESS, shown.account, to)
  addHash(STATE_HASH, shown.hash, to)
  addDigits(BALANCE, shown.balance, to)
  addCodes(CURRENCIES, to)
  to.string(shown.extra)
  addNamedJson(STATUS, shown.status, to)
  addHash(LAST_HASH, shown.lastTxHash, to)
  addDigits(LAST_LT, shown.lastTxLt, to)
  addNamedJson(METHODS, methodsOf(shown.methods), to)
  addNamedJson(INTERFACES, shown.interfaces ?? [], to)
  // Left out without a value.
  if (shown.frozenHash !== null) addHash(FROZEN_HASH, shown.frozenHash, to)
  if (shown.dataHash !== null) addHash(DATA_HASH, shown.dataHash, to)
  if (shown.codeHash !== null) addHash(CODE_HASH, shown.codeHash, to)
  if (shown.data !== null) addHash(DATA, shown.data, to)
  if (shown.code !== null) addHash(CODE, shown.code, to)
  to.byte(CLOSE_OBJECT)
}
