// What the contracts of tgBTC write to their logs.

import { tgbtc } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import type { Block } from '../../block.ts'
import { fieldsOf, hexOf } from '../../reading.ts'

const readMint = fieldsOf(tgbtc.mintLog)
const readKey = fieldsOf(tgbtc.newKeyLog)
const readDkg = fieldsOf(tgbtc.dkgLog)

export function readMintLog(body: Slice) {
  const { amount, recipient, bitcoinTxId } = readMint(body)
  // As Bitcoin shows it, its bytes backwards.
  return { amount, recipient, bitcoinTxId: hexOf(bitcoinTxId.toReversed()) }
}

export const readBurnLog = fieldsOf(tgbtc.burnLog)

export function readNewKeyLog(body: Slice) {
  const { amount, pubkey, pegout } = readKey(body)
  return { amount, pegout, pubkey: hexOf(pubkey) }
}

export function readDkgLog(body: Slice) {
  const { timestamp, pubkey } = readDkg(body)
  return { timestamp, pubkey: hexOf(pubkey) }
}

/** Who wrote a log. */
export const writerOf = (log: Block): string => log.first.transaction.account
