import { fitsFriendly, parseAddress } from '../../../shared/address.ts'
import { toHex } from '../../../shared/hex.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { accountsV3 } from '../../../shared/v3/accounts.ts'
import { inSlices, SlicedWork } from '../../fairness/index.ts'
import type { AccountReader } from '../../node/index.ts'
import {
  type AccountKey,
  charsOfSpan,
  type NamedAccount,
  readAll,
  readNamed,
  readSides,
  type ShownAccount,
  type Sql,
  shownAccountsRead,
  topAccountsRead,
  toShownAccount,
} from '../../store/index.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { charsOfKey, keyOfAccount, rawOfKey } from '../keyOfAccount.ts'
import { addAccountState, addWalletState } from '../view/v3/accountText.ts'
import { bufferOfSpan } from '../view/v3/fieldBytes.ts'
import { accountsAt } from './accountsAt.ts'
import { demandRoom } from './bounded/boundedAccounts.ts'
import { UNNAMED } from './names/addressBook.ts'
import { type SideObjects, sidesBeside, wishesOf } from './names/sideObjects.ts'
import { type AddMember, writePage } from './texts/writePage.ts'
import { addRows } from './texts/writeRows.ts'

type Methods = typeof accountsV3
type AccountList = Params<Methods['v3.accountStates']>
type States = Result<Methods['v3.accountStates']>
type Wallets = Result<Methods['v3.walletStates']>

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

const toNamedAccount = (shown: ShownAccount): NamedAccount => ({
  chars: charsOfSpan(shown.account),
  codeHash: shown.codeHash && bufferOfSpan(shown.codeHash),
  interfaces: shown.interfaces ?? [],
  domain: shown.domain,
})

interface Found {
  readonly rows: readonly ShownAccount[]
  readonly extras: ReturnType<typeof sidesBeside>
}

async function keysIn(address: readonly string[], call: Call): Promise<readonly AccountKey[]> {
  const keys = await inSlices(address, keyOfText, call)
  return keys.filter((key) => key !== null)
}

export function accountListHandlers({ chain, store }: AccountListNeeds, side: SideObjects): WritingHandlers<Methods> {
  async function earlier(keys: readonly AccountKey[], seqno: number, params: AccountList, { signal }: Call) {
    if (chain === null) throw new Error('a state of an earlier block was requested of a process without a chain')
    const codes = params.code_hash && new Set(params.code_hash.map(toHex))
    const rows = await accountsAt(chain, keys, seqno, signal)
    return rows
      .filter(({ codeHash }) => codes === undefined || (codeHash !== null && codes.has(toHex(codeHash))))
      .map((row) => (params.include_boc ? row : { ...row, code: null, data: null }))
  }

  /** Known ones, each once, in the requested order, with names and tokens. */
  async function found(params: AccountList, call: Call): Promise<Found> {
    const { address, include_boc, code_hash, seqno } = params
    const keys = new Map(address.map((key) => [charsOfKey(key), key]))
    if (seqno !== undefined) {
      const rows = await earlier([...keys.values()], seqno, params, call)
      const named = rows.map(({ account }) => account)
      const sides = await readSides(store, named, wishesOf(call), call)
      return { rows: rows.map(toShownAccount), extras: sidesBeside(side, sides) }
    }
    const filter = { accounts: [...keys.values()], codeHashes: code_hash, bags: include_boc }
    const { book, tokens } = wishesOf(call)
    await demandRoom(store, { ...filter, tokens }, call)
    const read = shownAccountsRead(filter)
    const answered = await readNamed(store, read, { book: false, tokens }, call)
    const known = new Map(answered.rows.map((row) => [charsOfSpan(row.account), row]))
    const rows = [...keys.keys()].flatMap((chars) => known.get(chars) ?? [])
    const names = book ? rows.map(toNamedAccount) : []
    const { held, described } = answered.sides
    return { rows, extras: sidesBeside(side, { book: names, held, described }) }
  }

  return {
    async 'v3.accountStates'(params, call) {
      const { rows, extras } = await found(params, call)
      const accounts: AddMember = (to) => addRows(rows, addAccountState, to)
      return await writePage<States>({ accounts, ...extras }, call)
    },

    async 'v3.walletStates'(params, call) {
      const { rows, extras } = await found(params, call)
      const wallets: AddMember = (to) => addRows(rows, addWalletState, to)
      return await writePage<Wallets>({ wallets, ...extras }, call)
    },

    async 'v3.addressBook'({ address }, call) {
      const slices = new SlicedWork(call)
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

    'v3.metadata': async ({ address }, call) => side.metadata(await keysIn(address, call), call),

    async 'v3.topAccountsByBalance'({ limit, offset }, call) {
      const rows = await readAll(store, topAccountsRead({ limit, offset }), call)
      return rows.map(({ account, balance }) => ({ account: rawOfKey(account), balance: toDigits(balance) }))
    },
  }
}
