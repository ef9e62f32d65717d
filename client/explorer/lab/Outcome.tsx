import { counted } from '../../../shared/explorer/counted.ts'
import { Trouble } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'

/** What a call of the embedded chain caused. */
export interface CallEffects {
  readonly seqno: number
  readonly tx_hash?: string | undefined
  readonly pending: number
}

export const Outcome = ({ error, done }: { readonly error: string | null; readonly done: CallEffects | null }) => (
  <>
    {error && <Trouble error={error} />}
    {error === null && done && (
      <p class="outcome" role="status">
        {done.tx_hash === undefined ? (
          'Accepted; no block has it yet.'
        ) : (
          <>
            In block {done.seqno}: <Hash of={done.tx_hash} to="/tx/" copy={false} />
          </>
        )}
        {done.pending > 0 && `, ${counted(done.pending, 'message')} still pending`}
      </p>
    )}
  </>
)
