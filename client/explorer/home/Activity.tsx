// The newest traces, moving only while none of them has the pointer or the focus.

import { useEffect, useRef, useState } from 'preact/hooks'
import { activity, transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import { boot, publicServiceUrl } from '../pageBoot.ts'
import { reverts } from '../pageClient.ts'
import { Copy } from '../parts/Copy.tsx'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { useReplies } from '../useReplies.ts'
import { TraceLine } from './ActionLine.tsx'
import { firstSteps } from './connectionLines.ts'
import { exitCodeIn, type HomeRow, homeRowsOf } from './homeRows.ts'
import { useHold } from './useHold.ts'

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

interface ShownRows {
  readonly list: string
  readonly rows: readonly HomeRow[]
}

/** The rows on the screen: the newest ones while nothing holds them, else those of before. Those of another list are not. */
function useHeldRows(newest: ShownRows, isHeld: boolean): readonly [rows: readonly HomeRow[], release: () => void] {
  const shown = useRef(newest)
  const [, redraw] = useState(0)
  if (!isHeld || shown.current.rows.length === 0 || shown.current.list !== newest.list) shown.current = newest
  const release = () => {
    shown.current = newest
    redraw((count) => count + 1)
  }
  return [shown.current.rows, release]
}

/** Which list a reply is of: the one that was requested when it came. */
function useListOf(reply: unknown, asked: string): string {
  const first = useRef({ reply, list: asked })
  if (first.current.reply !== reply) first.current = { reply, list: asked }
  return first.current.list
}

const NEW_ROWS = 'new-rows'

export function Activity() {
  const [withSystem, setWithSystem] = useState(false)
  const [paused, setPaused] = useState(false)
  const [scrolled, setScrolled] = useState(false)
  const place = useRef<HTMLUListElement>(null)
  const found = useReplies([activity(!withSystem)], { live: true })
  const { data } = found
  const all = data === null ? [] : homeRowsOf(data[0].actions)
  const list = useListOf(data, `${withSystem} ${reverts.value}`)
  const { isHeld, letGo, onList } = useHold(NEW_ROWS)
  const [rows, release] = useHeldRows({ list, rows: all }, paused || isHeld || scrolled)
  const have = new Set(rows.map(({ trace }) => trace))
  const fresh = all.filter(({ trace }) => !have.has(trace)).length
  const failures = useReplies(transactionsByHash(rows.flatMap((row) => row.suspects)))
  const transactions = failures.data?.[0]?.transactions ?? []
  useEffect(() => {
    const onScroll = () => setScrolled(scrollY > 300)
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  const showNew = (): void => {
    const listed = place.current
    // The button goes: who pressed it by keyboard is where the new rows are.
    const first = document.activeElement?.id === NEW_ROWS ? listed?.parentElement?.querySelector('h2') : null
    release()
    letGo()
    if (listed && listed.getBoundingClientRect().top < 0) listed.parentElement?.scrollIntoView()
    first?.focus({ preventScroll: true })
  }
  return (
    <section aria-labelledby="activity">
      <div class="bar">
        <h2 id="activity" tabindex={-1}>
          Latest activity
        </h2>
        <label class="check">
          <input
            type="checkbox"
            checked={withSystem}
            onChange={(event) => setWithSystem(event.currentTarget.checked)}
          />
          Show the chain's own
        </label>
        {fresh > 0 && (
          <button
            type="button"
            id={NEW_ROWS}
            class={scrolled ? 'second small floats' : 'second small'}
            onClick={showNew}
            onBlur={letGo}
          >
            {fresh < all.length ? fresh : `${fresh}+`} new ↑
          </button>
        )}
        <button type="button" class="second small push" onClick={() => setPaused(!paused)}>
          {paused ? 'Resume' : 'Pause'}
        </button>
      </div>
      <NotYet of={found} />
      {data !== null && all.length === 0 && <Nothing />}
      <ul ref={place} class="rows" {...onList}>
        {rows.slice(0, MOST_ROWS).map((row) => (
          <TraceLine key={row.trace} row={row} exitCode={exitCodeIn(row, transactions)} />
        ))}
      </ul>
    </section>
  )
}
