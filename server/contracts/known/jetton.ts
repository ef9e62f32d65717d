// Masters and wallets of jettons whose code is known.

import { Builder, type Cell, openCell, type StdAddress, stdAddress, storeAddress } from '../../cell/index.ts'
import { addressValue } from '../stack/results.ts'
import { intValue } from '../stack/stackValue.ts'
import {
  addressArgument,
  addressOfInit,
  boolValue,
  cellValue,
  type KnownMethods,
  maybeAddress,
  NO_METHOD,
  readStdAddress,
} from './answer.ts'

const LOCK_BITS = 4

interface WalletLayout {
  /** Bits of its own before the balance, owner and master. */
  readonly before: number
  /** Whether its code follows them. */
  readonly hasCode: boolean
}

const walletOf = ({ before, hasCode }: WalletLayout): KnownMethods => ({
  get_wallet_data({ code, data }, args) {
    if (args.length > 0) return null
    const slice = openCell(data).skip(before)
    const balance = slice.loadCoins()
    const owner = readStdAddress(slice)
    const master = readStdAddress(slice)
    if (hasCode) slice.loadRef()
    slice.finish()
    if (owner == null || master == null) return null
    return [intValue(balance), addressValue(owner), addressValue(master), cellValue(code)]
  },
})

export const plainWallet = walletOf({ before: 0, hasCode: true })

/** One that can be locked, which its first bits say. */
export const lockableWallet: KnownMethods = {
  ...walletOf({ before: LOCK_BITS, hasCode: false }),
  is_claimed: () => NO_METHOD,
}

interface Master {
  readonly supply: bigint
  readonly admin: StdAddress | null
  readonly isMintable: boolean
  readonly walletCode: Cell
  readonly content: Cell
}

/** Null for one whose addresses are not of the usual form. */
function readMaster(data: Cell): Master | null {
  const slice = openCell(data)
  const supply = slice.loadCoins()
  const admin = readStdAddress(slice)
  const content = slice.loadRef()
  const walletCode = slice.loadRef()
  // Who the administrator's office is offered to, and whether more can be minted: absent until one of them changes.
  const isUnchanged = slice.isEmpty
  const heir = isUnchanged ? null : readStdAddress(slice)
  const isMintable = isUnchanged || slice.loadBit()
  slice.finish()
  return admin === undefined || heir === undefined ? null : { supply, admin, isMintable, walletCode, content }
}

/** The master of plain wallets, with an heir to its administrator. */
export const plainMaster: KnownMethods = {
  get_jetton_data({ data }, args) {
    const master = readMaster(data)
    if (args.length > 0 || master === null) return null
    const { supply, admin, isMintable, walletCode, content } = master
    return [intValue(supply), boolValue(isMintable), maybeAddress(admin), cellValue(content), cellValue(walletCode)]
  },
  get_wallet_address({ workchain, hash, data }, args) {
    const owner = addressArgument(args)
    const master = readMaster(data)
    if (owner === null || master === null) return null
    const first = new Builder().storeCoins(0n)
    storeAddress(storeAddress(first, owner), stdAddress(workchain, hash)).storeRef(master.walletCode)
    return [addressOfInit(master.walletCode, first.end())]
  },
}
