import { useKept } from '../keptText.ts'
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
  /** Calls `done` when it was set. */
  readonly set: (mode: string, done?: () => void) => void
}

/** When blocks are made. */
function MiningModes({ mode, busy, set }: ModeProps) {
  const isInterval = /\d/.test(mode)
  /** What was typed and not set: one text, or none. */
  const [[typed], setTyped] = useKept<readonly string[]>('mining-interval', [])
  const interval = typed ?? (isInterval ? mode : '1s')
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
              aria-disabled={busy}
              onChange={() => set(id === 'interval' ? interval : id)}
            />
            {words}
          </label>
        ))}
      </fieldset>
      {isInterval && (
        <Form class="field-line" isReady start={() => set(interval, () => setTyped([]))}>
          <div class="field">
            <label for="mining-interval">Interval</label>
            <input
              id="mining-interval"
              value={interval}
              onInput={(event) => setTyped([event.currentTarget.value])}
              placeholder="1s"
            />
          </div>
          <button type="submit" class="second" aria-disabled={busy}>
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
  const set: ModeProps['set'] = (next, done) =>
    run(async () => {
      const { mode } = await client.dev.setMining({ mode: next })
      done?.()
      return `Mining: ${mode}.`
    })
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
            aria-disabled={busy}
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
