// What a vesting contract holds back, and until when.

import { vestingAt } from '../../../shared/explorer/accountPartQueries.ts'
import { duration } from '../../../shared/explorer/duration.ts'
import type { Api } from '../../index.ts'
import { Address } from '../parts/Address.tsx'
import { AddressList } from '../parts/AddressList.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Facts } from '../parts/Facts.tsx'
import { chainNow, exactTime } from '../parts/When.tsx'
import { lockedAt, nextUnlock } from './locked.ts'
import { OneRow } from './OneRow.tsx'
import type { PartProps } from './partProps.ts'

const Addresses = ({ of: list }: { readonly of: readonly string[] }) =>
  list.length === 0 ? <span class="quiet">none</span> : <AddressList of={list} what="accounts" />

type Vesting = Api['v3.vesting']['result']['vesting_contracts'][number]

function VestingFacts({ vesting: one }: { readonly vesting: Vesting }) {
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

export const VestingPart = ({ raw, stamp }: PartProps) => (
  <OneRow
    query={vestingAt(raw)}
    stamp={stamp}
    rows={({ vesting_contracts }) => vesting_contracts}
    none="The index has no vesting at this address."
    show={(vesting) => <VestingFacts vesting={vesting} />}
  />
)
