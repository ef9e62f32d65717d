// Why the elector did not take a stake: its contract runs well, and sends it back.

import type { Message, Trace } from '../../index.ts'

/** By the number in its message. */
const STAKE_REFUSALS = [
  'no election is open, or the account is not in the masterchain',
  'the signature is invalid',
  'it is less than 1/4096 of all stakes',
  'it is for another election',
  'another account has staked for this key',
  'it is less than the smallest stake',
  'its maximum factor is below 1',
]

/** Null for another message. */
function refusalOf({ message_content: content }: Message): string | null {
  if (content?.decoded?.['@type'] !== 'elector_new_stake_error') return null
  const { reason } = content.decoded
  return `${STAKE_REFUSALS[Number(reason)] ?? 'unknown'} (${reason})`
}

export function StakeRefused({ trace }: { readonly trace: Trace }) {
  const messages = Object.values(trace.transactions ?? {}).flatMap(({ out_msgs }) => out_msgs)
  const reasons = messages.map(refusalOf).filter((reason) => reason !== null)
  return reasons.length > 0 && <p class="cause partly">The elector refused the stake: {reasons.join(', ')}.</p>
}
