// A thread that reads one dictionary, part by part on request.

import { parentPort, workerData } from 'node:worker_threads'
import type { AirdropAmount } from '../store/index.ts'
import { amountsOfAirdrop } from './airdrop.ts'
import { FetchError } from './fetchError.ts'

export interface AirdropTask {
  readonly bytes: Uint8Array
  /** Hash of the dictionary. */
  readonly root: Uint8Array
}

/** Some amounts, none at the end; or as text why there are no more. */
export type AirdropPart = { readonly amounts: readonly AirdropAmount[] } | { readonly refused: string }

/** Amounts written at once, so that other writers do not wait long for the database. */
const PART = 1_000

if (parentPort !== null) {
  const port = parentPort
  // The cast: the starter of this thread passes one.
  const { bytes, root } = workerData as AirdropTask
  const all = amountsOfAirdrop(bytes, root)

  const nextPart = (): AirdropPart => {
    const amounts: AirdropAmount[] = []
    try {
      while (amounts.length < PART) {
        const { value } = all.next()
        if (value === undefined) break
        amounts.push(value)
      }
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      return { refused: error.message }
    }
    return { amounts }
  }
  port.on('message', () => port.postMessage(nextPart()))
}
