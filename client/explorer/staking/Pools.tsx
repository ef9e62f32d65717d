// Nominator pools that have staked: the elector's events name them.

import { NEWEST_STAKES } from '../../../shared/explorer/stakingQueries.ts'
import { friendlyForm, interfacesOf } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { Table } from '../parts/Table.tsx'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'

/** Interfaces of nominator pools. */
const POOLS = /^(?:nominator_pool|tv_pool)/

export function Pools() {
  const found = useReplies([NEWEST_STAKES], { live: true })
  const { data } = found
  const events = data?.[0].events ?? []
  /** The newest event of each. */
  const newest = new Map([...events].reverse().map((one) => [one.stake_holder_address, one]))
  const pools = [...newest.values()].filter((one) =>
    interfacesOf(one.stake_holder_address).some((name) => POOLS.test(name)),
  )
  return (
    <>
      <h1>Nominator pools</h1>
      <NotYet of={found} />
      {data !== null && pools.length === 0 && (
        <Empty title="No nominator pool has staked in the blocks that are indexed.">
          <p>The address of a pool in the search box opens its page.</p>
        </Empty>
      )}
      {pools.length > 0 && (
        <Table label="Pools" columns={['Pool', 'Last stake', { number: 'Amount' }, 'More']}>
          {pools.map((one) => (
            <tr key={one.stake_holder_address}>
              <td>
                <Address of={one.stake_holder_address} />
              </td>
              <td class="nowrap">
                <When at={one.utime} />
              </td>
              <td class="number">
                <Amount of={one.amount} />
              </td>
              <td>
                <a href={href(`/pools/${friendlyForm(one.stake_holder_address)}`)}>Rewards</a>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}
