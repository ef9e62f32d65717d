import { fitsFriendly, parseAddress } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Params } from '../../../shared/registry.ts'
import type { accountsV3 } from '../../../shared/v3/accounts.ts'
import { inSlices, SlicedWork } from '../../fairness/index.ts'
import type { AccountReader } from '../../node/index.ts'
import {
  type AccountFound,
  type AccountKey,
  accountsRead,
  readAll,
  type Sql,
  topAccountsRead,
} from '../../store/index.ts'
import type { Call, Handlers } from '../call.ts'
import { keyOfAccount, rawOfKey } from '../keyOfAccount.ts'
import { toAccountState, toWalletState } from '../view/v3/account.ts'
import { accountsAt } from './accountsAt.ts'
import { UNNAMED } from './addressBook.ts'
import { type SideObjects, sideObjectsFor } from './sideObjects.ts'

type Methods = typeof accountsV3
type AccountList = Params<Methods['v3.accountStates']>

/** The account a text names; null for one that is no address, or of a workchain out of range. */
function keyOfText(text: string): AccountKey | null {
  const address = parseAddress(text)
  return address !== null && fitsFriendly(address) ? keyOfAccount(address) : null
}

export interface AccountListNeeds {
  /** Has the states of earlier blocks; null in a process without a chain. */
  readonly chain: AccountReader | null
  readonly store: Sql
}

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

export function accountListHandlers({ chain, store }: AccountListNeeds, side: SideObjects): Handlers<Methods> {
  async function earlier(keys: readonly AccountKey[], seqno: number, params: AccountList, { signal }: Call) {
    if (chain === null) throw new Error('a state of an earlier block was requested of a process without a chain')
    const codes = params.code_hash && new Set(params.code_hash.map(nameOf))
    const rows = await accountsAt(chain, keys, seqno, signal)
    return rows
      .filter(({ codeHash }) => codes === undefined || (codeHash !== null && codes.has(nameOf(codeHash))))
      .map((row) => (params.include_boc ? row : { ...row, code: null, data: null }))
  }

  /** Known ones, each once, in the requested order. */
  async function found(params: AccountList, call: Call): Promise<AccountFound[]> {
    const { address, include_boc, code_hash, seqno } = params
    const keys = new Map(address.map((key) => [rawOfKey(key), key]))
    if (seqno !== undefined) return earlier([...keys.values()], seqno, params, call)
    const read = accountsRead({ accounts: [...keys.values()], codeHashes: code_hash, bags: include_boc })
    const rows = new Map((await readAll(store, read, call)).map((row) => [rawOfKey(row.account), row]))
    return [...keys.keys()].flatMap((raw) => rows.get(raw) ?? [])
  }

  const extras = (rows: readonly AccountFound[], call: Call) =>
    sideObjectsFor(
      side,
      rows.map(({ account }) => account),
      call,
    )

  return {
    async 'v3.accountStates'(params, call) {
      const rows = await found(params, call)
      return { accounts: rows.map(toAccountState), ...(await extras(rows, call)) }
    },

    async 'v3.walletStates'(params, call) {
      const rows = await found(params, call)
      return { wallets: rows.map(toWalletState), ...(await extras(rows, call)) }
    },

    async 'v3.addressBook'({ address }, call) {
      const slices = new SlicedWork(call.caller)
      const keys = new Map(await inSlices(address, (text) => [text, keyOfText(text)] as const, slices))
      if (slices.isDue) await slices.rest()
      const book = await side.addressBook(
        [...keys.values()].filter((key) => key !== null),
        call,
      )
      const named = await inSlices(
        [...keys],
        ([text, key]) => [text, (key && book[rawOfKey(key)]) ?? UNNAMED] as const,
        slices,
      )
      if (slices.isDue) await slices.rest()
      return Object.fromEntries(named)
    },

    'v3.metadata': ({ address }, call) =>
      side.metadata(
        address.map(keyOfText).filter((key) => key !== null),
        call,
      ),

    async 'v3.topAccountsByBalance'({ limit, offset }, call) {
      const rows = await readAll(store, topAccountsRead({ limit, offset }), call)
      return rows.map(({ account, balance }) => ({ account: rawOfKey(account), balance: toDigits(balance) }))
    },
  }
}
