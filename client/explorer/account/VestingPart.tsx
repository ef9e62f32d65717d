// What a vesting contract holds back, and until when.

import { vestingAt } from '../../../shared/explorer/accountPartQueries.ts'
import { Address, AddressList } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { chainNow, duration, exactTime } from '../parts/When.tsx'
import { useReplies } from '../useReplies.ts'
import { lockedAt, nextUnlock } from './locked.ts'
import type { PartProps } from './partProps.ts'

const Addresses = ({ of: list }: { readonly of: readonly string[] }) =>
  list.length === 0 ? <span class="quiet">none</span> : <AddressList of={list} />

export function VestingPart({ raw, stamp }: PartProps) {
  const { data, error, reload } = useReplies([vestingAt(raw)], { stamp })
  if (error !== null && data === null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  const [one] = data[0].vesting_contracts
  if (one === undefined) return <Empty title="The index has no vesting at this address." />
  const now = chainNow()
  const next = nextUnlock(now, one)
  const { start_time: start, total_duration: total, cliff_duration: cliff } = one
  return (
    <Facts
      rows={[
        ['Locked now', <Amount key="locked" of={lockedAt(now, one)} />],
        ['Locked at first', <Amount key="total" of={one.total_amount} />],
        ['Next part is free', next !== null && `${exactTime(next)}, in ${duration(Math.max(1, next - now))}`],
        ['Start', exactTime(start)],
        ['Nothing is free before', cliff > 0 && exactTime(start + cliff)],
        ['A part is free every', duration(one.unlock_period)],
        ['All is free', exactTime(start + total)],
        ['Owner', <Address key="owner" of={one.owner_address} />],
        ['Funded by', <Address key="sender" of={one.sender_address} />],
        ['May receive locked TON', <Addresses key="list" of={one.whitelist} />],
      ]}
    />
  )
}
