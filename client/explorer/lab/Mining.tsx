import { useState } from 'preact/hooks'
import { chainState } from '../live.ts'
import { client } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { useCall } from './useCall.ts'

const COUNTS = [1, 10, 100] as const

export function Mining() {
  const { busy, error, run } = useCall()
  const state = chainState.value
  const mode = state?.mining ?? 'auto'
  const [interval, setInterval] = useState(/\d/.test(mode) ? mode : '1s')
  const kind = /\d/.test(mode) ? 'interval' : mode
  const set = (next: string): void => run(async () => `Mining: ${(await client.dev.setMining({ mode: next })).mode}.`)
  return (
    <section class="card" aria-labelledby="mining-title">
      <h2 id="mining-title">Blocks</h2>
      <Facts
        rows={[
          ['Newest block', state?.head.seqno],
          ['Pending messages', state?.pending],
        ]}
      />
      <div class="buttons">
        {COUNTS.map((blocks) => (
          <button
            key={blocks}
            type="button"
            class="second"
            disabled={busy}
            onClick={() => run(async () => `The newest block is ${(await client.dev.mine({ blocks })).seqno}.`)}
          >
            Mine {blocks}
          </button>
        ))}
      </div>
      <fieldset class="choices">
        <legend>When blocks are made</legend>
        {(
          [
            ['auto', 'with each message'],
            ['interval', 'at an interval'],
            ['manual', 'only by hand'],
          ] as const
        ).map(([id, words]) => (
          <label key={id} class="check">
            <input
              type="radio"
              name="mining"
              checked={kind === id}
              disabled={busy}
              onChange={() => set(id === 'interval' ? interval : id)}
            />
            {words}
          </label>
        ))}
      </fieldset>
      {kind === 'interval' && (
        <form
          class="field-line"
          onSubmit={(event) => {
            event.preventDefault()
            set(interval)
          }}
        >
          <div class="field">
            <label for="mining-interval">Interval</label>
            <input
              id="mining-interval"
              value={interval}
              onInput={(event) => setInterval(event.currentTarget.value)}
              placeholder="1s"
            />
          </div>
          <button type="submit" class="second" disabled={busy}>
            Set
          </button>
        </form>
      )}
      {error && <Trouble error={error} />}
    </section>
  )
}
