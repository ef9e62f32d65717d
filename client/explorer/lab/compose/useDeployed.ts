// The contract to deploy: the hash of its code and its address, computed in the browser.

import { useEffect, useState } from 'preact/hooks'
import type { Abi } from '../../../../shared/abi/abi.ts'
import { toBase64 } from '../../../../shared/base64.ts'
import { bagOf } from '../../cell/build.ts'
import { type BagCell, hashOf } from '../../cell/readBag.ts'
import { useAbi } from '../../decoders/useAbi.ts'
import { codeOfText, dataOf, type InitDraft, type Made } from './composeDraft.ts'
import { type AccountPlace, deployedPlace, initCell } from './composedMessage.ts'

export interface Deployed {
  readonly code: Made
  readonly data: Made
  /** Base64; empty while there is no code. */
  readonly codeHash: string
  readonly abi: Abi | null
  readonly init: BagCell | null
  /** Where it deploys to; null where that cannot be computed, undefined while it is. */
  readonly place: AccountPlace | null | undefined
}

interface Found {
  /** The init whose place it is. */
  readonly bag: string
  readonly codeHash: string
  readonly place: AccountPlace | null
}

export function useDeployed(draft: InitDraft): Deployed {
  const code = codeOfText(draft.code)
  const [found, setFound] = useState<Found>({ bag: '', codeHash: '', place: null })
  const { codeHash } = found
  const abi = useAbi(codeHash)
  const data = dataOf(draft, abi)
  const init = 'cell' in code && 'cell' in data ? initCell(code.cell, data.cell) : null
  const bag = init === null ? '' : bagOf(init)
  useEffect(() => {
    let isCurrent = true
    const hash = 'cell' in code ? hashOf(code.cell) : Promise.resolve(null)
    const place = init === null ? Promise.resolve(null) : deployedPlace(init)
    void Promise.all([hash, place])
      // A page without TLS has no hashes.
      .catch(() => [null, null] as const)
      .then(([bytes, at]) => {
        if (isCurrent) setFound({ bag, codeHash: bytes === null ? '' : toBase64(bytes), place: at })
      })
    return () => {
      isCurrent = false
    }
  }, [draft.code, bag])
  return { code, data, codeHash, abi, init, place: found.bag === bag ? found.place : undefined }
}
