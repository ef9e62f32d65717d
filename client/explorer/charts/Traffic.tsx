// Transactions and fees of the whole chain over time.

import { useState } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import { traffic } from '../../../shared/explorer/explorerQueries.ts'
import { decimal } from '../parts/Amount.tsx'
import { Choice } from '../parts/Choice.tsx'
import { Trouble } from '../parts/Empty.tsx'
import { chainNow } from '../parts/When.tsx'
import { useReplies } from '../useReplies.ts'
import { Chart } from './Chart.tsx'
import { type ChartPoint, filled } from './scale.ts'

const NANO = 1e9

const PERIODS = {
  minute: { label: 'Last hour', step: 60, count: 60, words: 'minute' },
  hour: { label: 'Last 2 days', step: 3600, count: 48, words: 'hour' },
  day: { label: 'Last 30 days', step: 86_400, count: 30, words: 'day' },
} as const
type Period = keyof typeof PERIODS

export function Traffic() {
  const [period, setPeriod] = useState<Period>('minute')
  const { label: _, step, count, words } = PERIODS[period]
  const { data, error } = useReplies([traffic(period, count)], { live: true })
  const to = Math.floor(chainNow() / step) * step
  const range = { from: to - (count - 1) * step, to }
  const intervals = data?.[0].intervals ?? []
  const pointsOf = (pick: (one: (typeof intervals)[number]) => number): readonly ChartPoint[] =>
    filled(
      intervals.map((one) => ({ at: one.utime, value: pick(one) })),
      step,
      range,
    )
  return (
    <section class="traffic" aria-labelledby="traffic">
      <div class="bar">
        <h2 id="traffic">Traffic</h2>
        <Choice
          id="traffic-period"
          label="Period"
          options={PERIODS}
          value={period}
          onChoose={setPeriod}
          class="inline push"
        />
      </div>
      {error !== null && data === null ? (
        <Trouble error={error} />
      ) : (
        <div class="cards">
          <Chart
            title={`Transactions by ${words}, without the chain's own`}
            shape="bars"
            height={140}
            points={pointsOf((one) => one.transactions - one.system_transactions)}
            write={(value) => counted(value, 'transaction')}
          />
          <Chart
            title={`Fees by ${words}, TON`}
            shape="bars"
            height={140}
            points={pointsOf((one) => Number(one.fees) / NANO)}
            write={(value) => `${decimal(BigInt(Math.round(value * NANO)), 9)} TON`}
          />
        </div>
      )}
    </section>
  )
}
