// What the contracts of tgBTC write to their logs.

import { tgbtc } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import { wellKnownAccounts } from '../../../interfaces/index.ts'
import type { ActionBlock, Content } from '../../actionBlock.ts'
import { isCall } from '../../base.ts'
import { fieldsOf, hexOfBytes, readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'

const readMint = fieldsOf(tgbtc.mintLog)
const readKey = fieldsOf(tgbtc.newKeyLog)
const readDkg = fieldsOf(tgbtc.dkgLog)

export function readMintLog(body: Slice) {
  const { amount, recipient, bitcoinTxId } = readMint(body)
  // As Bitcoin shows it, its bytes backwards.
  return { amount, recipient, bitcoinTxId: hexOfBytes(bitcoinTxId.toReversed()) }
}

const readBurn = fieldsOf(tgbtc.burnLog, 'amount')
const readOlderBurn = fieldsOf(tgbtc.olderBurnLog, 'amount')

/** Where a burn is to be paid out. */
export const readPegout = fieldsOf(tgbtc.burnLog, 'pegout')

/** Only the older one refers to a cell. */
export const readBurnLog = (body: Slice) => (body.remainingRefs > 0 ? readOlderBurn(body) : readBurn(body))

export function readNewKeyLog(body: Slice) {
  const { amount, pubkey, pegout } = readKey(body)
  return { amount, pegout, pubkey: hexOfBytes(pubkey) }
}

export function readDkgLog(body: Slice) {
  const { timestamp, pubkey } = readDkg(body)
  return { timestamp, pubkey: hexOfBytes(pubkey) }
}

/** What `read` makes of a log; null for a message to an account, which anybody may send to anyone. */
export const readLog = <T>(block: ActionBlock, read: (body: Slice) => T): T | null =>
  block.first.isLeaf ? readBody(block, read) : null

/** The account that wrote a log. */
export const writerOf = (log: ActionBlock): string => log.first.transaction.account

const TELEPORTS: ReadonlySet<string> = new Set([
  wellKnownAccounts.tgbtcTeleport.id,
  wellKnownAccounts.tgbtcTeleportV3.id,
  wellKnownAccounts.tgbtcTeleportV2.id,
  wellKnownAccounts.tgbtcTeleportV1.id,
])

/** What a log says, where nothing else confirms it: any account can write any log, so only a known one is believed. */
export const believed = <T>(log: ActionBlock, value: T): T | null => (TELEPORTS.has(writerOf(log)) ? value : null)

interface LoneLog<T> {
  readonly name: string
  readonly opcode: number
  readonly read: (body: Slice) => T
  readonly contentOf: (log: T, block: ActionBlock) => Content
}

/** The rule for a log that stands alone. */
export const loneLog = <T>({ name, opcode, read, contentOf }: LoneLog<T>): Rule => ({
  name,
  begins: isCall(opcode),
  match(block) {
    const log = readLog(block, read)
    return log === null ? null : { blocks: new Set([block]), content: contentOf(log, block), failed: block.failed }
  },
})
