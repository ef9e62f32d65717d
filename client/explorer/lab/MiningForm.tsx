import { useState } from 'preact/hooks'
import { chainState } from '../live.ts'
import { client } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Form } from './labFields.tsx'
import { useCall } from './useCall.ts'

const COUNTS = [1, 10, 100] as const

const MODES = [
  ['auto', 'with each message'],
  ['interval', 'at an interval'],
  ['manual', 'only by hand'],
] as const

interface ModeProps {
  /** As the chain has it. */
  readonly mode: string
  readonly busy: boolean
  readonly set: (mode: string) => void
}

/** When blocks are made. */
function MiningModes({ mode, busy, set }: ModeProps) {
  const isInterval = /\d/.test(mode)
  const [interval, setInterval] = useState(isInterval ? mode : '1s')
  const kind = isInterval ? 'interval' : mode
  return (
    <>
      <fieldset class="choices">
        <legend>When blocks are made</legend>
        {MODES.map(([id, words]) => (
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
      {isInterval && (
        <Form class="field-line" isReady start={() => set(interval)}>
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
        </Form>
      )}
    </>
  )
}

export function MiningForm() {
  const { busy, error, run } = useCall()
  const state = chainState.value
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
      <MiningModes mode={state?.mining ?? 'auto'} busy={busy} set={set} />
      {error && <Trouble error={error} />}
    </section>
  )
}
