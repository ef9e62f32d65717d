import { useState } from 'preact/hooks'
import { duration } from '../../../shared/explorer/duration.ts'
import { useKept } from '../keptText.ts'
import { chainState } from '../live.ts'
import { client } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { exactTime } from '../parts/When.tsx'
import { serviceNow } from '../serviceClock.ts'
import { Confirm } from './Confirm.tsx'
import { Check, Form } from './labFields.tsx'
import { useCall } from './useCall.ts'

const JUMPS = [
  ['+1 min', 60],
  ['+1 h', 3600],
  ['+1 d', 86_400],
  ['+30 d', 30 * 86_400],
] as const

/** `2026-11-21T12:00` of a date picker, as UTC. */
const secondsOf = (text: string): number => Math.floor(Date.parse(`${text}Z`) / 1000)

/** Sets the time of the next block. */
function NextBlockTime({ busy, set }: { readonly busy: boolean; readonly set: (utime: number) => void }) {
  const [at, setAt] = useKept('time-at', '')
  const target = secondsOf(at)
  const isReady = Number.isFinite(target)
  return (
    <Form class="field-line" isReady={isReady} start={() => set(target)}>
      <div class="field">
        <label for="time-at">Time of the next block, UTC</label>
        <input id="time-at" type="datetime-local" value={at} onInput={(event) => setAt(event.currentTarget.value)} />
      </div>
      <button type="submit" class="second" disabled={!isReady} aria-disabled={busy}>
        Set
      </button>
    </Form>
  )
}

/** What a reset does when the newest block is so many seconds ahead; no block has an earlier time than those before. */
const resetWords = (ahead: number): string =>
  ahead > 0
    ? `The chain does not go back: its blocks keep the time of the newest one for ${duration(ahead)}, until this computer's clock is there. Only a snapshot returns at once.`
    : "The next block has this computer's time."

interface ResetProps {
  readonly offset: number
  /** Time of the newest block. */
  readonly newest: number
  readonly busy: boolean
  readonly reset: () => void
}

/** Says first what it does, and can be left. */
function Reset({ offset, newest, busy, reset }: ResetProps) {
  const [isOpen, open] = useState(false)
  return (
    <Confirm
      label="Reset …"
      class="second"
      words={<span role="status">{resetWords(newest - serviceNow())}</span>}
      what="Reset the clock"
      isOpen={isOpen && offset !== 0}
      open={open}
      isOff={busy || offset === 0}
      act={() => {
        open(false)
        reset()
      }}
    />
  )
}

const clockText = (offset: number): string =>
  offset === 0
    ? "follows this computer's"
    : `${duration(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} this computer's`

export function Time() {
  const [snapshot, setSnapshot] = useState(true)
  const { busy, error, run } = useCall()
  const state = chainState.value
  const offset = state?.clock_offset ?? 0
  /** Time does not go back: a snapshot taken before does. */
  const forward = (words: string, call: () => Promise<unknown>): void =>
    run(async () => {
      const taken = snapshot ? (await client.dev.snapshot({ label: `before-${Date.now().toString(36)}` })).id : null
      await call()
      return `${words}${taken === null ? '.' : `; snapshot ${taken} returns.`}`
    })
  return (
    <section class="card" aria-labelledby="time-title" tabIndex={-1}>
      <h2 id="time-title">Time</h2>
      <Facts
        rows={[
          ['Newest block', state && exactTime(state.utime)],
          ['Clock', clockText(offset)],
        ]}
      />
      <div class="buttons">
        {JUMPS.map(([label, seconds]) => (
          <button
            key={label}
            type="button"
            class="second"
            aria-disabled={busy}
            onClick={() =>
              forward(`Moved the clock by ${label.slice(1)}`, async () => {
                await client.dev.increaseTime({ seconds })
                await client.dev.mine({ blocks: 1 })
              })
            }
          >
            {label}
          </button>
        ))}
        <Reset
          offset={offset}
          newest={state?.utime ?? 0}
          busy={busy}
          reset={() => run(async () => (await client.dev.resetTime()).note)}
        />
      </div>
      <Check checked={snapshot} set={setSnapshot}>
        Take a snapshot first, to come back
      </Check>
      <NextBlockTime
        busy={busy}
        set={(utime) => forward('The next block has this time', () => client.dev.setNextBlockTime({ utime }))}
      />
      {error && <Trouble error={error} />}
    </section>
  )
}
