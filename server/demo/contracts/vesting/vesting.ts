// Deployment of a wallet whose TON unlocks step by step, and the messages it accepts.

import { vesting } from '../../../bodies/index.ts'
import { beginCell, type Cell, openCell } from '../../../cell/index.ts'
import type { AccountId, Deployment } from '../../../devchain/index.ts'
import { cellWriter, storeAddressOrNone } from '../body.ts'
import { deployment } from '../code.ts'

export interface VestingParts {
  readonly subwalletId: number
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
  /** Unix seconds. */
  readonly start: number
  /** Seconds until all is unlocked. */
  readonly totalDuration: number
  /** Seconds between portions; divides the other two. */
  readonly unlockPeriod: number
  /** Seconds in which nothing is unlocked. */
  readonly cliffDuration: number
  /** Nanotons. */
  readonly totalAmount: bigint
  /** The account that gave the TON, and may list addresses. */
  readonly sender: AccountId
  readonly owner: AccountId
}

export interface VestingTransfer {
  readonly seqno: number
  readonly subwalletId: number
  /** Unix seconds from which the request has expired. */
  readonly validUntil: number
  readonly mode: number
  /** As `outgoingMessage` makes it; null for a request that only increases the sequence number. */
  readonly message: Cell | null
  /** Ed25519 signature of a hash, by the wallet's key. */
  readonly sign: (hash: Uint8Array) => Uint8Array
}

/** Throws RangeError for periods that do not divide each other. */
export function vestingWallet(parts: VestingParts): Deployment {
  const { totalDuration, unlockPeriod, cliffDuration } = parts
  const goesIn = unlockPeriod > 0 && totalDuration % unlockPeriod === 0 && cliffDuration % unlockPeriod === 0
  if (!goesIn || cliffDuration < 0 || cliffDuration >= totalDuration)
    throw new RangeError(`${unlockPeriod} seconds do not divide ${cliffDuration} of ${totalDuration}`)
  const times = beginCell().storeUint(parts.start, 64)
  for (const seconds of [totalDuration, unlockPeriod, cliffDuration]) times.storeUint(seconds, 32)
  const terms = storeAddressOrNone(storeAddressOrNone(times.storeCoins(parts.totalAmount), parts.sender), parts.owner)
  const head = beginCell().storeUint(0, 32).storeUint(parts.subwalletId, 32).storeBytes(parts.publicKey)
  return deployment('vesting/wallet', head.storeBit(0).storeRef(terms.end()).end())
}

/** The body of the external message that makes the wallet send a message. */
export function vestingTransferBody({ subwalletId, validUntil, seqno, mode, message, sign }: VestingTransfer): Cell {
  const unsigned = () => {
    const builder = beginCell().storeUint(subwalletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32)
    return message === null ? builder : builder.storeUint(mode, 8).storeRef(message)
  }
  return beginCell().storeBytes(sign(unsigned().end().hashBytes())).storeBuilder(unsigned()).end()
}

const writeSend = cellWriter(vesting.sendMessage)
const writeAddition = cellWriter(vesting.addWhitelist)

/** From the owner: makes the wallet send a message. */
export const vestingSendBody = (queryId: bigint, mode: number, message: Cell): Cell =>
  writeSend({ queryId, sendMode: mode, message })

/** From the giver: lists addresses that locked TON may go to. Throws RangeError for none. */
export function vestingWhitelistBody(queryId: bigint, addresses: readonly AccountId[]): Cell {
  let list: Cell | null = null
  for (const address of addresses.toReversed()) {
    const builder = storeAddressOrNone(beginCell(), address)
    list = (list === null ? builder : builder.storeRef(list)).end()
  }
  if (list === null) throw new RangeError('There is no address to list')
  return writeAddition({ queryId, addresses: openCell(list) })
}
