// The proof of a block as a file, for light clients and bridges.

import { useState } from 'preact/hooks'
import type { BlockPlace } from '../../../shared/explorer/blockQueries.ts'
import { client, wordsFor } from '../pageClient.ts'
import { Trouble } from '../parts/Empty.tsx'
import { saveFile } from '../parts/save.ts'

export function SaveProof({ workchain, shard, seqno }: BlockPlace) {
  const [state, setState] = useState<{ readonly isReading?: true; readonly error?: string }>({})
  const save = () => {
    if (state.isReading) return
    setState({ isReading: true })
    client.getShardBlockProof({ workchain, shard, seqno }).then(
      (proof) => {
        saveFile(`proof_${workchain}_${shard}_${seqno}.json`, JSON.stringify(proof, null, 2))
        setState({})
      },
      (error: unknown) => setState({ error: wordsFor(error) }),
    )
  }
  return (
    <>
      <p class="buttons">
        <button type="button" class="second small" aria-disabled={state.isReading} onClick={save}>
          Save the proof
        </button>
      </p>
      {state.error !== undefined && <Trouble error={state.error} />}
    </>
  )
}
