import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import { NEWEST_TRANSACTIONS, SNAPSHOTS } from '../../../shared/explorer/toolQueries.ts'
import type { Api } from '../../index.ts'
import { useKept } from '../keptText.ts'
import { chainState } from '../live.ts'
import { ask, client } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { Confirm } from './Confirm.tsx'
import { Form } from './labFields.tsx'
import { useCall } from './useCall.ts'

type Snapshot = Api['dev.snapshots']['result']['snapshots'][number]

const LABEL = /^(?!0x)[\w.:-]{1,64}$/

interface TakeProps {
  readonly busy: boolean
  /** Calls `done` when it was taken. */
  readonly take: (label: string, done: () => void) => void
}

function TakeSnapshot({ busy, take }: TakeProps) {
  const [label, setLabel] = useKept('snapshot-label', '')
  const wrong = label !== '' && !LABEL.test(label) ? 'Letters, digits and _ . : - that do not begin with 0x.' : null
  return (
    <>
      <Form class="field-line" isReady={wrong === null} start={() => take(label, () => setLabel(''))}>
        <div class="field">
          <label for="snapshot-label">Name of a new one (optional)</label>
          <input
            id="snapshot-label"
            value={label}
            onInput={(event) => setLabel(event.currentTarget.value)}
            aria-invalid={wrong !== null}
          />
        </div>
        <button type="submit" disabled={wrong !== null} aria-disabled={busy}>
          Take
        </button>
      </Form>
      {wrong && <p class="hint wrong">{wrong}</p>}
    </>
  )
}

interface LostProps {
  readonly since: number
  readonly blocks: number
}

/** What a revert undoes: blocks, and transactions other than the chain's own. */
function Lost({ since, blocks }: LostProps) {
  const { data, error } = useReplies([NEWEST_TRANSACTIONS], { live: true })
  const read = data?.[0].transactions ?? []
  const lost = read.filter(({ mc_block_seqno: at }) => at !== null && at > since).length
  const isAll = lost < read.length || data?.[0].cursor === null
  const transactions =
    data === null
      ? error === null
        ? 'transactions (being counted)'
        : 'their transactions'
      : `${isAll ? '' : 'more than '}${counted(lost, 'transaction')}`
  return (
    <span role="status">
      This loses {counted(blocks, 'block')} with {transactions}, and later snapshots.
    </span>
  )
}

interface SnapshotProps {
  readonly snapshot: Snapshot
  /** Blocks that reverting to it loses. */
  readonly lost: number
  readonly busy: boolean
  readonly isConfirming: boolean
  readonly confirm: (id: string | null) => void
  readonly revert: () => void
}

function SnapshotLine({ snapshot, lost, busy, isConfirming, confirm, revert }: SnapshotProps) {
  const { id, seqno } = snapshot
  const name = snapshot.label ?? id
  return (
    <li>
      <span>
        <strong>{name}</strong> <span class="quiet">at</span> <a href={href(`/block/${seqno}`)}>block {seqno}</a>
      </span>
      <Confirm
        label="Revert to …"
        name={`Revert to ${name} …`}
        class="second small"
        words={<Lost since={seqno} blocks={lost} />}
        what={`Revert to ${name}`}
        isOpen={isConfirming}
        open={(isOpen) => confirm(isOpen ? id : null)}
        isOff={busy}
        act={revert}
      />
    </li>
  )
}

export function Snapshots() {
  const [list, setList] = useState<readonly Snapshot[]>([])
  const [confirming, setConfirming] = useState<string | null>(null)
  const { busy, error, run } = useCall()
  const state = chainState.value
  const head = state?.head.seqno
  const epoch = state?.epoch
  const read = async (): Promise<void> => setList((await ask(SNAPSHOTS)).snapshots)
  useEffect(() => {
    // A failure shows with the next call a person starts.
    read().catch(() => undefined)
  }, [head, epoch])
  const take: TakeProps['take'] = (label, done) =>
    run(async () => {
      const { id } = await client.dev.snapshot(label === '' ? {} : { label })
      done()
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
    <section class="card" aria-labelledby="snapshots-title" tabIndex={-1}>
      <h2 id="snapshots-title">Snapshots</h2>
      <TakeSnapshot busy={busy} take={take} />
      {list.length === 0 ? (
        <p class="quiet">None yet: one costs nothing, and reverting to it undoes everything since.</p>
      ) : (
        <ul class="snapshots">
          {[...list].reverse().map((one) => (
            <SnapshotLine
              key={one.id}
              snapshot={one}
              lost={(head ?? one.seqno) - one.seqno}
              busy={busy}
              isConfirming={confirming === one.id}
              confirm={setConfirming}
              revert={() => revert(one)}
            />
          ))}
        </ul>
      )}
      {error && <Trouble error={error} />}
    </section>
  )
}
