// tgBTC is burnt for bitcoins: the teleport makes a contract that pays them out.

import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import { Kind, type KindOptions } from '../../kind.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_BURN } from '../jettons/burn.ts'
import { BURN_LOG, readBurnLog } from './log.ts'

const BURNT = 0x587643a2
const PEG_OUT = 0xbe44e7a6

interface Burn {
  readonly source: string | null
  readonly wallet: string | null
  readonly pegout: string | null
  readonly amount: bigint
  readonly asset: string | null
}

const describe: KindOptions<Burn>['describe'] = ({ source, wallet, pegout, amount, asset }) => ({
  roles: { source, sourceSecondary: wallet, destination: pegout, asset },
  details: { source, source_wallet: wallet, destination: pegout, amount: digits(amount), asset },
})

const TGBTC_BURN = new Kind<Burn>({ type: 'tgbtc_burn', describe })
const TGBTC_BURN_FALLBACK = new Kind<Burn>({ type: 'tgbtc_burn_fallback', describe })

export const tgbtcBurn: Rule = {
  name: 'tgbtc/burn',
  begins: (block) => JETTON_BURN.is(block),
  match(burn) {
    const burnt = JETTON_BURN.of(burn)
    if (burnt === undefined) return null
    const picked = new Picked(burn)
    const fields = picked.next(burn, isCall(BURNT))
    const teleport: Block = fields ?? burn
    const log = picked.next(teleport, isCall(BURN_LOG))
    const pegout = picked.next(teleport, isCall(PEG_OUT))
    if (log === null || pegout === null) return null
    const content = TGBTC_BURN.content({
      source: burnt.owner,
      wallet: burnt.wallet,
      pegout: envelopeOf(pegout)?.destination ?? null,
      amount: burnt.amount,
      asset: burnt.asset,
    })
    return { blocks: picked.blocks, content, failed: burn.failed }
  },
}

export const tgbtcBurnLog: Rule = {
  name: 'tgbtc/burnLog',
  begins: isCall(BURN_LOG),
  match(block) {
    const amount = readBody(block, readBurnLog)
    if (amount === null) return null
    const content = TGBTC_BURN_FALLBACK.content({ source: null, wallet: null, pegout: null, amount, asset: null })
    return { blocks: new Set([block]), content, failed: block.failed }
  },
}
