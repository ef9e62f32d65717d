// The newest traces, moving only when the reader does not point at them.

import { useEffect, useRef, useState } from 'preact/hooks'
import { activity, transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import { boot, publicServiceUrl } from '../pageBoot.ts'
import { Copy } from '../parts/Copy.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { useReplies } from '../useReplies.ts'
import { TraceLine } from './ActionLine.tsx'
import { firstSteps } from './connectionLines.ts'
import { exitCodeIn, type HomeRow, homeRowsOf } from './homeRows.ts'

const MOST_ROWS = 25

function Nothing() {
  return (
    <Empty title="Nothing has happened here yet.">
      {boot.network === 'devnet' && (
        <ul class="plain">
          {firstSteps(publicServiceUrl).map(({ what, command }) => (
            <li key={command}>
              To {what}: <code>{command}</code> <Copy text={command} what="command" />
            </li>
          ))}
        </ul>
      )}
    </Empty>
  )
}

/** The rows on the screen: the newest ones while nothing holds them, else those of before and how many are new. */
function useHeldRows(rows: readonly HomeRow[], held: boolean): readonly [readonly HomeRow[], number, () => void] {
  const shown = useRef<readonly HomeRow[]>(rows)
  const [, redraw] = useState(0)
  if (!held || shown.current.length === 0) shown.current = rows
  const have = new Set(shown.current.map(({ trace }) => trace))
  const isNew = rows.filter(({ trace }) => !have.has(trace)).length
  const release = () => {
    shown.current = rows
    redraw((count) => count + 1)
  }
  return [shown.current, isNew, release]
}

export function Activity() {
  const [withSystem, setWithSystem] = useState(false)
  const [paused, setPaused] = useState(false)
  const [pointed, setPointed] = useState(false)
  const [scrolled, setScrolled] = useState(false)
  const { data, error, reload } = useReplies([activity(!withSystem)], { live: true })
  const all = data === null ? [] : homeRowsOf(data[0].actions)
  const [rows, fresh, release] = useHeldRows(all, paused || pointed || scrolled)
  const failures = useReplies(transactionsByHash(rows.flatMap((row) => row.suspects)))
  const transactions = failures.data?.[0]?.transactions ?? []
  useEffect(() => {
    const onScroll = () => setScrolled(scrollY > 300)
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return (
    <section aria-labelledby="activity">
      <div class="bar">
        <h2 id="activity">Latest activity</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={withSystem}
            onChange={(event) => setWithSystem(event.currentTarget.checked)}
          />
          Show the chain's own
        </label>
        {fresh > 0 && (
          <button type="button" class="second small" onClick={release}>
            {fresh} new ↑
          </button>
        )}
        <button type="button" class="second small push" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {paused ? 'Go on' : 'Pause'}
        </button>
      </div>
      {error !== null && data === null && <Trouble error={error} reload={reload} />}
      {data === null && error === null && <Waiting />}
      {data !== null && all.length === 0 && <Nothing />}
      <ul class="rows" onMouseEnter={() => setPointed(true)} onMouseLeave={() => setPointed(false)}>
        {rows.slice(0, MOST_ROWS).map((row) => (
          <TraceLine key={row.trace} row={row} exitCode={exitCodeIn(row, transactions)} />
        ))}
      </ul>
    </section>
  )
}
