// tgBTC is burnt for bitcoins: the teleport makes a contract that pays them out.

import { tgbtc } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind, type KindOptions } from '../../actionKind.ts'
import { destinationOf, isCall, TON_TRANSFER } from '../../base.ts'
import { digits } from '../../details.ts'
import { JETTON_BURN_NOTIFICATION } from '../../opcodes.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_BURN } from '../jettons/burn.ts'
import { believed, loneLog, readBurnLog, readLog, readPegout } from './tgbtcLog.ts'

interface Burn {
  readonly source: string | null
  readonly wallet: string | null
  readonly pegout: string | null
  /** What is paid out: what was burnt, less the fee. */
  readonly amount: bigint | null
  readonly asset: string | null
}

const describe: KindOptions<Burn>['describe'] = ({ source, wallet, pegout, amount, asset }) => ({
  roles: { source, sourceSecondary: wallet, destination: pegout, asset },
  details: { source, source_wallet: wallet, destination: pegout, amount: digits(amount), asset },
})

const TGBTC_BURN = new Kind<Burn>({ type: 'tgbtc_burn', describe })
const TGBTC_BURN_FALLBACK = new Kind<Burn>({ type: 'tgbtc_burn', shownAs: 'tgbtc_burn_fallback', describe })

/** What pays out, as the teleport says it. */
const pegoutIn = (log: ActionBlock | null): string | null =>
  log === null ? null : believed(log, readLog(log, readPegout)?.pegout ?? null)

/** The contract that a teleport has pay out bitcoins, picked. */
export function pegoutAfter(teleport: ActionBlock, picked: Picked): ActionBlock | null {
  const pegout = picked.next(teleport, isCall(tgbtc.pegOut.opcode))
  if (pegout === null) return null
  picked.next(pegout, isCall(tgbtc.pegOutMade.opcode))
  picked.next(pegout, (block) => TON_TRANSFER.is(block))
  return pegout
}

/** Invariant: a burn makes the teleport log it; the amount is what it logged, never more than was burnt. */
export const tgbtcBurn: Rule = {
  name: 'tgbtc/burn',
  begins: (block) => JETTON_BURN.is(block),
  match(burn) {
    const burnt = JETTON_BURN.of(burn)
    if (burnt === undefined) return null
    const picked = new Picked(burn)
    // The jetton's master reports to the teleport, in a message of its own or by the usual notification.
    const report = picked.next(burn, isCall(tgbtc.burnt.opcode, JETTON_BURN_NOTIFICATION))
    const teleport: ActionBlock = report ?? burn
    const log = picked.next(teleport, isCall(tgbtc.burnLog.opcode))
    const pegout = pegoutAfter(teleport, picked)
    const amount = log === null ? undefined : readLog(log, readBurnLog)?.amount
    if (amount === undefined || amount > burnt.amount) return null
    const content = TGBTC_BURN.content({
      source: burnt.owner,
      wallet: burnt.wallet,
      pegout: destinationOf(pegout) ?? pegoutIn(log),
      amount,
      asset: burnt.asset,
    })
    return { blocks: picked.blocks, content, failed: burn.failed }
  },
}

/** Invariant: a log alone: its amount is shown of a known teleport only. */
export const tgbtcBurnLog = loneLog({
  name: 'tgbtc/burnLog',
  opcode: tgbtc.burnLog.opcode,
  read: readBurnLog,
  contentOf: ({ amount }, block) =>
    TGBTC_BURN_FALLBACK.content({
      source: null,
      wallet: null,
      pegout: null,
      asset: null,
      amount: believed(block, amount),
    }),
})
