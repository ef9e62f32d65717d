// Validators: the sets over time, the current one in full, and elections.

import { counted } from '../../../shared/explorer/counted.ts'
import { duration } from '../../../shared/explorer/duration.ts'
import { VALIDATORS } from '../../../shared/explorer/stakingQueries.ts'
import type { Api } from '../../index.ts'
import { Chart } from '../charts/Chart.tsx'
import { timeLabel } from '../charts/scale.ts'
import { percent } from '../format/number.ts'
import { Address, Shortened } from '../parts/Address.tsx'
import { Amount, decimal } from '../parts/Amount.tsx'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Table } from '../parts/Table.tsx'
import { chainNow, exactTime } from '../parts/When.tsx'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'

type Cycle = Api['v3.validators.cycles']['result']['cycles'][number]
type Election = Api['v3.validators.elections']['result']['elections'][number]

const NANO = 1e9

const stakeText = (value: number): string => `${decimal(BigInt(Math.round(value)) * BigInt(NANO), 9)} TON`

/** Cycles of elections, oldest first; the set a chain began with had none. */
function Cycles({ cycles }: { readonly cycles: readonly Cycle[] }) {
  const elected = [...cycles].reverse().filter(({ election_id: id }) => id !== undefined)
  const dayOf = (at: number): string =>
    timeLabel(elected[at]?.cycle_start ?? 0, {
      from: elected[0]?.cycle_start ?? 0,
      to: elected.at(-1)?.cycle_start ?? 0,
    })
  const stakes = elected.map(({ total_stake: stake }, at) => ({ at, value: Number(stake ?? 0) / NANO }))
  const counts = elected.map(({ total }, at) => ({ at, value: total }))
  return (
    <div class="cards">
      <Chart title="Stake of each cycle, TON" shape="bars" points={stakes} write={stakeText} label={dayOf} />
      <Chart
        title="Validators of each cycle"
        shape="bars"
        points={counts}
        write={(value) => counted(value, 'validator')}
        label={dayOf}
      />
    </div>
  )
}

const weightShare = (weight: string, total: string): string =>
  percent(Number((BigInt(weight) * 1_000_000n) / (BigInt(total) || 1n)) / 1_000_000)

function Members({ cycle }: { readonly cycle: Cycle }) {
  return (
    <Table
      label="Table of validators"
      columns={['#', 'Public key', 'Stake of', { number: 'Stake' }, { number: 'Weight' }, 'Complaints']}
    >
      {cycle.validators?.map((one) => (
        <tr key={one.validator_index}>
          <td>{one.validator_index}</td>
          <td>
            <a class="hash" href={href(`/console/v3.validators.events?validator_pubkey=${one.validator_pubkey}`)}>
              <Shortened text={one.validator_pubkey.toLowerCase()} />
            </a>
          </td>
          <td>
            {one.stake_holder_address ? <Address of={one.stake_holder_address} /> : <span class="quiet">unknown</span>}
          </td>
          <td class="number">
            {one.stake === undefined ? <span class="quiet">unknown</span> : <Amount of={one.stake} />}
          </td>
          <td class="number">{weightShare(one.weight, cycle.total_weight)}</td>
          <td>{one.complaints.length === 0 ? '–' : <span class="badge bad">{one.complaints.length}</span>}</td>
        </tr>
      ))}
    </Table>
  )
}

const stateOf = ({ failed, finished, elect_close: close }: Election, now: number): string =>
  finished ? 'finished' : failed ? 'failed' : close > now ? `open for ${duration(close - now)}` : 'being counted'

function Elections({ elections, now }: { readonly elections: readonly Election[]; readonly now: number }) {
  return (
    <Table
      label="Table of elections"
      columns={['Election', 'State', 'Closes', { number: 'Participants' }, { number: 'Stake' }]}
    >
      {elections.map((one) => (
        <tr key={one.election_id}>
          <td>
            <a href={href(`/console/v3.validators.elections?election_id=${one.election_id}&return_participants=true`)}>
              {one.election_id}
            </a>
          </td>
          <td>
            <span class={one.finished ? 'badge good' : one.failed ? 'badge bad' : 'badge'}>{stateOf(one, now)}</span>
          </td>
          <td class="nowrap">{exactTime(one.elect_close)}</td>
          <td class="number">{one.total_participants}</td>
          <td class="number">
            <Amount of={one.total_stake} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function Validators() {
  const found = useReplies(VALIDATORS, { live: true })
  const { data } = found
  const now = chainNow()
  const [all, newest, elections] = data ?? []
  const current = newest?.cycles.find(({ cycle_start: start }) => start <= now) ?? newest?.cycles[0]
  return (
    <>
      <h1>Validators</h1>
      <NotYet of={found} />
      {all?.cycles.length === 0 && <Empty title="No set of validators is indexed yet." />}
      {all !== undefined && all.cycles.length > 0 && <Cycles cycles={all.cycles} />}
      {current !== undefined && (
        <section aria-labelledby="current-set">
          <h2 id="current-set">Current set</h2>
          <Facts
            rows={[
              ['Since', exactTime(current.cycle_start)],
              ['Until', exactTime(current.cycle_end)],
              [
                'Validators',
                `${current.total}, ${current.main === current.total ? 'all' : `${current.main} of them`} of the masterchain`,
              ],
              ['Stake', current.total_stake === undefined ? null : <Amount key="s" of={current.total_stake} />],
            ]}
          />
          <Members cycle={current} />
        </section>
      )}
      {elections !== undefined && elections.elections.length > 0 && (
        <section aria-labelledby="elections">
          <h2 id="elections">Elections</h2>
          <Elections elections={elections.elections} now={now} />
        </section>
      )}
    </>
  )
}
