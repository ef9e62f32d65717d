// The keepers of tgBTC agree on a new key: the coordinator reports it to the teleport, and all bitcoins move to it.

import { tgbtc } from '../../../bodies/index.ts'
import { Kind, type KindOptions } from '../../actionKind.ts'
import { CALL, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Picked, type Rule } from '../../rule.ts'
import { pegoutAfter } from './burn.ts'
import { believed, loneLog, readDkgLog, readLog, readNewKeyLog, writerOf } from './tgbtcLog.ts'

interface NewKey {
  readonly source: string | null
  readonly teleport: string | null
  readonly pubkey: string
  readonly pegout: string | null
  readonly amount: bigint | null
}

const describe: KindOptions<NewKey>['describe'] = ({ source, teleport, pubkey, pegout, amount }) => ({
  roles: { source, destination: teleport, destinationSecondary: pegout },
  details: { source, pubkey, coordinator: teleport, pegout, amount: digits(amount), asset: null },
})

const TGBTC_NEW_KEY = new Kind<NewKey>({ type: 'tgbtc_new_key', describe })
const TGBTC_NEW_KEY_FALLBACK = new Kind<NewKey>({ type: 'tgbtc_new_key_fallback', describe })

/** Invariant: the coordinator sets a key, and the teleport logs it; the amount is shown of a known teleport only. */
export const tgbtcNewKey: Rule = {
  name: 'tgbtc/newKey',
  begins: isCall(tgbtc.setKey.opcode),
  match(call) {
    const picked = new Picked(call)
    const found = picked.next(call, isCall(tgbtc.newKeyLog.opcode))
    const log = found === null ? null : readLog(found, readNewKeyLog)
    const from = envelopeOf(call)
    if (found === null || log === null || from === undefined) return null
    pegoutAfter(call, picked)
    // The key is complete in the transaction of the coordinator that reports it.
    const reported = CALL.is(call.previous) ? call.previous : null
    const completed = reported?.next.find(isCall(tgbtc.dkgLog.opcode))
    if (reported !== null && completed !== undefined)
      for (const block of [completed, reported]) picked.blocks.add(block)
    const content = TGBTC_NEW_KEY.content({
      source: from.source,
      teleport: from.destination,
      pubkey: log.pubkey,
      pegout: log.pegout,
      amount: believed(found, log.amount),
    })
    return { blocks: picked.blocks, content, failed: call.failed }
  },
}

/** Invariant: a log alone: its amount is shown of a known teleport only. */
export const tgbtcNewKeyLog = loneLog({
  name: 'tgbtc/newKeyLog',
  opcode: tgbtc.newKeyLog.opcode,
  read: readNewKeyLog,
  contentOf: ({ pubkey, pegout, amount }, block) =>
    TGBTC_NEW_KEY_FALLBACK.content({
      source: null,
      teleport: writerOf(block),
      pubkey,
      pegout,
      amount: believed(block, amount),
    }),
})

const TGBTC_DKG_LOG = new Kind<{ readonly coordinator: string; readonly pubkey: string; readonly timestamp: bigint }>({
  type: 'tgbtc_dkg_log',
  shownAs: 'tgbtc_dkg_log_fallback',
  describe: ({ coordinator, pubkey, timestamp }) => ({
    roles: { source: coordinator },
    details: { coordinator, pubkey, timestamp: digits(timestamp) },
  }),
})

/** Invariant: a log alone, which speaks of no amount. */
export const tgbtcDkgLog = loneLog({
  name: 'tgbtc/dkgLog',
  opcode: tgbtc.dkgLog.opcode,
  read: readDkgLog,
  contentOf: (log, block) => TGBTC_DKG_LOG.content({ coordinator: writerOf(block), ...log }),
})
