// tgBTC is made for bitcoins that arrived: a caller submits the transaction to the teleport, which has it verified and
// mints once the deposit is claimed.

import { tgbtc } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind, type KindOptions } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_MINT } from '../jettons/mint.ts'
import { believed, loneLog, readLog, readMintLog } from './tgbtcLog.ts'

interface Mint {
  readonly source: string | null
  readonly teleport: string | null
  readonly destination: string | null
  readonly wallet: string | null
  readonly amount: bigint | null
  readonly asset: string | null
  readonly bitcoinTxId: string
}

const describe: KindOptions<Mint>['describe'] = (mint) => ({
  roles: {
    source: mint.source,
    sourceSecondary: mint.teleport,
    destination: mint.destination,
    destinationSecondary: mint.wallet,
    asset: mint.asset,
  },
  details: {
    source: mint.source,
    destination: mint.destination,
    amount: digits(mint.amount),
    asset: mint.asset,
    bitcoin_tx_id: mint.bitcoinTxId,
    destination_wallet: mint.wallet,
  },
})

const TGBTC_MINT = new Kind<Mint>({ type: 'tgbtc_mint', describe })
const TGBTC_MINT_FALLBACK = new Kind<Mint>({ type: 'tgbtc_mint_fallback', describe })

const isHead = isCall(tgbtc.showTransaction.opcode)
const MOST_STEPS = 64

/** The way back to the call that showed the transaction; none when there is no such call. */
function wayToHead(tail: ActionBlock): ActionBlock[] {
  const way: ActionBlock[] = []
  for (let block = tail.previous; block !== null && way.length < MOST_STEPS; block = block.previous) {
    way.push(block)
    if (isHead(block)) return way
  }
  return []
}

/** Invariant: the claim of a deposit makes the teleport log it and its master mint, to the same owner and no less. */
export const tgbtcMint: Rule = {
  name: 'tgbtc/mint',
  begins: isCall(tgbtc.claimed.opcode),
  match(tail) {
    const picked = new Picked(tail)
    const found = picked.next(tail, isCall(tgbtc.mintLog.opcode))
    const log = found === null ? null : readLog(found, readMintLog)
    const mint = picked.next(tail, (block) => JETTON_MINT.is(block))
    const minted = JETTON_MINT.of(mint)
    if (log === null || mint === null || minted === undefined) return null
    const isMinted = log.amount <= (minted.amount ?? 0n) && minted.receiver === log.recipient
    if (!mint.failed && !isMinted) return null
    const way = wayToHead(tail)
    for (const block of way) picked.blocks.add(block)
    const head = envelopeOf(way.at(-1))
    const content = TGBTC_MINT.content({
      source: head?.source ?? log.recipient,
      teleport: destinationOf(tail),
      destination: log.recipient,
      wallet: minted.receiverWallet,
      amount: log.amount,
      asset: minted.asset,
      bitcoinTxId: log.bitcoinTxId,
    })
    return { blocks: picked.blocks, content, failed: mint.failed }
  },
}

/** Invariant: a log alone: its amount and recipient are shown of a known teleport only. */
export const tgbtcMintLog = loneLog({
  name: 'tgbtc/mintLog',
  opcode: tgbtc.mintLog.opcode,
  read: readMintLog,
  contentOf: ({ recipient, amount, bitcoinTxId }, block) =>
    TGBTC_MINT_FALLBACK.content({
      source: null,
      teleport: null,
      wallet: null,
      asset: null,
      destination: believed(block, recipient),
      amount: believed(block, amount),
      bitcoinTxId,
    }),
})
