// A nominator pool: who is in it, and what each round brought.

import { poolQueries } from '../../../shared/explorer/stakingQueries.ts'
import { rawOf } from '../../../shared/explorer/views.ts'
import type { Api } from '../../index.ts'
import { NoAccount } from '../account/NoAccount.tsx'
import { Chart } from '../charts/Chart.tsx'
import { timeLabel } from '../charts/scale.ts'
import { percent } from '../format/number.ts'
import type { PageProps } from '../lazyPage.tsx'
import { Address } from '../parts/Address.tsx'
import { Amount, decimal } from '../parts/Amount.tsx'
import { NotYet } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Table } from '../parts/Table.tsx'
import { useFirst } from '../parts/useFirst.tsx'
import { When } from '../parts/When.tsx'
import { useReplies } from '../useReplies.ts'

type Events = Api['v3.staking.nominatorPools.nominatorEvents']['result']
type Event = Events['events'][number]

const STATES = ['no stake is out', 'a stake was sent', 'a stake is at work'] as const
const NANO = 1e9
const PARTS = 10_000

/**
 * What all nominators together gained in each round: rewards of one transaction are one round. Of the oldest one some may
 * be in events that were not read.
 */
function rounds({ events, cursor }: Events): { readonly at: number; readonly value: number }[] {
  const sums = new Map<string, { readonly at: number; sum: bigint }>()
  for (const { type, tx_hash: hash, utime: at, amount } of events) {
    if (type !== 'reward') continue
    const round = sums.get(hash) ?? { at, sum: 0n }
    round.sum += BigInt(amount)
    sums.set(hash, round)
  }
  return [...sums.values()]
    .sort((a, b) => a.at - b.at)
    .slice(cursor === null ? 0 : 1)
    .map(({ at, sum }) => ({ at, value: Number(sum) / NANO }))
}

const roundName = (all: readonly { readonly at: number }[], index: number): string =>
  timeLabel(all[index]?.at ?? 0, { from: all[0]?.at ?? 0, to: all.at(-1)?.at ?? 0 })

const WORDS: Readonly<Record<Event['type'], string>> = {
  reward: 'Reward',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  pending_deposit_activation: 'Deposit became active',
  withdrawal_request: 'Withdrawal requested',
}

const FIRST_EVENTS = 100

function EventTable({ events }: { readonly events: readonly Event[] }) {
  const { shown, more } = useFirst(events, FIRST_EVENTS, 'events')
  return (
    <>
      <Table
        label="Deposits and withdrawals"
        columns={['When', 'What', 'Nominator', { number: 'Amount' }, { number: 'Active after' }]}
      >
        {shown.map((one) => (
          <tr key={`${one.tx_hash} ${one.type} ${one.nominator_address}`}>
            <td>
              <When at={one.utime} />
            </td>
            <td>{WORDS[one.type]}</td>
            <td>
              <Address of={one.nominator_address} />
            </td>
            <td class="number">
              <Amount of={one.amount} signed={one.type === 'reward'} />
            </td>
            <td class="number">
              <Amount of={one.balance_after} />
            </td>
          </tr>
        ))}
      </Table>
      {more}
    </>
  )
}

export const Pool = ({ subject }: PageProps) =>
  rawOf(subject) === null ? (
    <>
      <h1>Nominator pool</h1>
      <NoAccount subject={subject} />
    </>
  ) : (
    <Known pool={subject} />
  )

function Known({ pool }: { readonly pool: string }) {
  const found = useReplies(poolQueries(pool), { live: true })
  const { data } = found
  const [state, history] = data ?? []
  const brought = history === undefined ? [] : rounds(history)
  return (
    <>
      <h1>Nominator pool</h1>
      <NotYet of={found} />
      {state !== undefined && history !== undefined && (
        <>
          <Facts
            rows={[
              ['Pool', <Address key="p" of={rawOf(pool)} full copy />],
              ['State', STATES[state.state] ?? String(state.state)],
              ['Stake that is out', <Amount key="s" of={state.stake_amount_sent} />],
              ['Validator', <Address key="v" of={state.validator_address} />],
              ["Validator's part", <Amount key="a" of={state.validator_amount} />],
              ["Validator's share of rewards", percent(state.validator_reward_share / PARTS)],
              ['Nominators', `${state.nominators_count} of ${state.max_nominators_count}`],
              ['Least deposit', <Amount key="m" of={state.min_nominator_stake} />],
            ]}
          />
          <Chart
            title="Rewards of all nominators by round, TON"
            shape="bars"
            points={brought.map(({ value }, at) => ({ at, value }))}
            label={(at) => roundName(brought, at)}
            write={(value) => `${decimal(BigInt(Math.round(value * NANO)), 9)} TON`}
          />
          <section aria-labelledby="nominators">
            <h2 id="nominators">Nominators</h2>
            <Table label="Table of nominators" columns={['Nominator', { number: 'Active' }, { number: 'Pending' }]}>
              {state.active_nominators.map((one) => (
                <tr key={one.address}>
                  <td>
                    <Address of={one.address} />
                  </td>
                  <td class="number">
                    <Amount of={one.balance} />
                  </td>
                  <td class="number">
                    <Amount of={one.pending_balance} />
                  </td>
                </tr>
              ))}
            </Table>
          </section>
          <section aria-labelledby="pool-events">
            <h2 id="pool-events">Events</h2>
            <EventTable events={history.events} />
          </section>
        </>
      )}
    </>
  )
}
