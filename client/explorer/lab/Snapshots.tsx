import { useEffect, useState } from 'preact/hooks'
import { SNAPSHOTS } from '../../../shared/explorer/explorerQueries.ts'
import type { Api } from '../../index.ts'
import { chainState } from '../live.ts'
import { ask, client } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { href } from '../router.ts'
import { useCall } from './useCall.ts'

type Snapshot = Api['dev.snapshots']['result']['snapshots'][number]

const LABEL = /^(?!0x)[\w.:-]{1,64}$/

export function Snapshots() {
  const [list, setList] = useState<readonly Snapshot[]>([])
  const [label, setLabel] = useState('')
  const [confirming, setConfirming] = useState<string | null>(null)
  const { busy, error, run } = useCall()
  const state = chainState.value
  const [head, epoch] = [state?.head.seqno, state?.epoch]
  const read = async (): Promise<void> => setList((await ask(SNAPSHOTS)).snapshots)
  useEffect(() => {
    // A failure shows with the next call a person starts.
    read().catch(() => undefined)
  }, [head, epoch])
  const wrong = label !== '' && !LABEL.test(label) ? 'Letters, digits and _ . : - that do not begin with 0x.' : null
  const take = (): void =>
    run(async () => {
      const { id } = await client.dev.snapshot(label === '' ? {} : { label })
      setLabel('')
      await read()
      return `Took snapshot ${id}.`
    })
  const revert = ({ id }: Snapshot): void =>
    run(async () => {
      const { seqno } = await client.dev.revert({ id })
      setConfirming(null)
      await read()
      return `Back at block ${seqno}.`
    })
  return (
    <section class="card" aria-labelledby="snapshots-title">
      <h2 id="snapshots-title">Snapshots</h2>
      <form
        class="field-line"
        onSubmit={(event) => {
          event.preventDefault()
          if (wrong === null) take()
        }}
      >
        <div class="field">
          <label for="snapshot-label">Name of a new one (optional)</label>
          <input
            id="snapshot-label"
            value={label}
            onInput={(event) => setLabel(event.currentTarget.value)}
            aria-invalid={wrong !== null}
          />
        </div>
        <button type="submit" disabled={busy || wrong !== null}>
          Take
        </button>
      </form>
      {wrong && <p class="hint wrong">{wrong}</p>}
      {list.length === 0 ? (
        <p class="quiet">None yet: one costs nothing, and reverting to it undoes everything since.</p>
      ) : (
        <ul class="snapshots">
          {[...list].reverse().map((one) => {
            const lost = (head ?? one.seqno) - one.seqno
            return (
              <li key={one.id}>
                <span>
                  <strong>{one.label ?? one.id}</strong> <span class="quiet">at</span>{' '}
                  <a href={href(`/block/${one.seqno}`)}>block {one.seqno}</a>
                </span>
                {confirming === one.id ? (
                  <span class="confirm">
                    <span>
                      {lost === 1 ? 'The last block is' : `The last ${lost} blocks are`} lost, and later snapshots.
                    </span>
                    <button type="button" class="danger-button small" disabled={busy} onClick={() => revert(one)}>
                      Revert to {one.label ?? one.id}
                    </button>
                    <button type="button" class="second small" onClick={() => setConfirming(null)}>
                      Keep
                    </button>
                  </span>
                ) : (
                  <button
                    type="button"
                    class="second small"
                    disabled={busy}
                    aria-label={`Revert to ${one.label ?? one.id} …`}
                    onClick={() => setConfirming(one.id)}
                  >
                    Revert to …
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {error && <Trouble error={error} />}
    </section>
  )
}
