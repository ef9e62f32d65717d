// A webhook as it is delivered, read from its rows.

import { isObject } from '../../shared/isObject.ts'
import { lightInSlices, parseInSlices, SlicedWork } from '../fairness/index.ts'
import { rawOfKey } from '../methods/index.ts'
import {
  type AccountKey,
  claimWebhook,
  readWebhookAccounts,
  readWebhookOpcodes,
  type Sql,
  type WebhookRow,
} from '../store/index.ts'
import type { BlockNotices } from '../streaming/index.ts'
import type { WebhookFilter } from './webhookEvent.ts'

export interface ClaimedWebhook {
  readonly row: WebhookRow
  readonly filter: WebhookFilter
}

/** What is stored of a webhook that was taken over. */
export interface StoredWebhook {
  readonly row: WebhookRow
  readonly accounts: readonly { readonly account: AccountKey }[]
  readonly opcodes: readonly bigint[]
}

/** What its owner may have was checked when it was added. */
const ANY = { subject: 'webhooks', allAccounts: true }

/** Takes a webhook over from the process that delivered it before; null when it was removed. */
export async function claim(to: Sql, id: bigint): Promise<StoredWebhook | null> {
  const row = await claimWebhook(to, id)
  if (row === null) return null
  const [accounts, opcodes] = await Promise.all([readWebhookAccounts(to, id), readWebhookOpcodes(to, id)])
  return { row, accounts, opcodes }
}

/** Stored before there were messages, `opcodes` meant nothing in a subscription. */
function withoutOldOpcodes(stored: unknown): unknown {
  if (!isObject(stored) || (Array.isArray(stored.types) && stored.types.includes('messages'))) return stored
  const { opcodes: _, ...others } = stored
  return others
}

/** Not within the transaction: what a webhook waits for may be a hundred thousand names, which are read in slices. */
export async function readClaim(notices: Pick<BlockNotices, 'read'>, claimed: StoredWebhook): Promise<ClaimedWebhook> {
  const { row, accounts, opcodes } = claimed
  const slices = new SlicedWork({ subject: 'webhooks' })
  return {
    row,
    filter: {
      subscription:
        row.subscription === ''
          ? null
          : await notices.read(
              withoutOldOpcodes(await parseInSlices(row.subscription, slices)),
              Number.POSITIVE_INFINITY,
              ANY,
            ),
      accounts: new Set(await lightInSlices(accounts, ({ account }) => rawOfKey(account), slices)),
      opcodes: new Set(opcodes.map(Number)),
      newContracts: row.new_contracts,
    },
  }
}
