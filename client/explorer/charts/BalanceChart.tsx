// The balance of an account over time: every transaction of a young account, the end of each interval of an old one.

import { useState } from 'preact/hooks'
import { balanceOf } from '../../../shared/explorer/accountPartQueries.ts'
import type { PageProps } from '../lazyPage.tsx'
import { decimal } from '../parts/Amount.tsx'
import { Choice } from '../parts/Choice.tsx'
import { NotYet } from '../parts/Empty.tsx'
import { chainNow } from '../parts/When.tsx'
import { useReplies } from '../useReplies.ts'
import { Chart } from './Chart.tsx'
import { shownRange } from './scale.ts'

const NANO = 1e9

const PERIODS = {
  all: { label: 'Last transactions', interval: undefined },
  hour: { label: 'By hour', interval: 3600 },
  day: { label: 'By day', interval: 86_400 },
} as const
type Period = keyof typeof PERIODS

/** Nanotons of a balance in TON, to the digit. */
const exact = (balance: string): string => `${decimal(balance, 9)} TON`

export function BalanceChart({ subject: account }: PageProps) {
  const [period, setPeriod] = useState<Period>('all')
  const { interval } = PERIODS[period]
  const found = useReplies([balanceOf(account, interval)], { live: true })
  const { data } = found
  const known = [...(data?.[0].history ?? [])].reverse().filter(({ balance }) => balance !== null)
  const exactAt = new Map(known.map(({ utime, balance }) => [utime, balance ?? '0']))
  // Of several transactions in one second, the last one decides.
  const points = [...exactAt].map(([at, balance]) => ({ at, value: Number(balance) / NANO }))
  const written = new Map([...exactAt].map(([, balance]) => [Number(balance) / NANO, exact(balance)]))
  return (
    <>
      <div class="bar">
        <Choice id="balance-period" label="Points" options={PERIODS} value={period} onChoose={setPeriod} />
      </div>
      <NotYet of={found} />
      {data !== null && (
        <Chart
          title="Balance, TON"
          shape="steps"
          height={260}
          points={points}
          range={shownRange(points, chainNow())}
          write={(value) => written.get(value) ?? String(value)}
        />
      )}
    </>
  )
}
