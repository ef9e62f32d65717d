// A message as its sender gave it, with the names by which it is found however it was wrapped.

import { ApiError } from '../../../shared/errors.ts'
import { base64Of, type Cell, CellError, hashToBytes, MAX_DEPTH, openCell, readingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import type { AccountId } from '../../node/index.ts'
import type { AccountKey } from '../../store/index.ts'
import { loadMessage, normalizedHash, type StateInit } from '../../tlb/index.ts'
import { keyOfAccount } from '../keyOfAccount.ts'

export interface AwaitedMessage {
  readonly boc: Uint8Array
  readonly body: Cell
  readonly init: StateInit | null
  readonly account: AccountId
  readonly key: AccountKey
  readonly hash: Uint8Array
  readonly hashNorm: Uint8Array
  /** The normalised hash in base64: equal for equal messages. */
  readonly name: string
}

const wrong = (why: string, cause?: unknown): ApiError =>
  new ApiError('invalidParams', `"boc" is not an external message: ${why}`, { param: 'boc' }, { cause })

/** Rejects with ApiError `invalidParams`. */
export async function readSentMessage(boc: Uint8Array, slicing: Slicing): Promise<AwaitedMessage> {
  try {
    return sentMessageOf(await inPieces(readingBoc(boc, { maxDepth: MAX_DEPTH }), slicing), boc)
  } catch (error) {
    if (error instanceof CellError) throw wrong(error.message, error)
    throw error
  }
}

/** Throws CellError, or ApiError `invalidParams`. */
export function sentMessageOf(root: Cell, boc: Uint8Array): AwaitedMessage {
  const message = loadMessage(openCell(root))
  const { info, body, init } = message
  if (info.kind !== 'externalIn') throw wrong('it comes from a contract')
  const { dest } = info
  if (dest.kind !== 'std' || dest.anycast !== null) throw wrong('its destination is not a standard address')
  const account = { workchain: dest.workchain, hash: dest.hash }
  const hashNorm = hashToBytes(normalizedHash(message))
  const names = { hash: root.hashBytes(), hashNorm, name: base64Of(hashNorm) }
  return { boc, body, init, account, key: keyOfAccount(account), ...names }
}

/** Hashes as an answer or an error writes them. */
export const hashesOf = ({ hash, name }: AwaitedMessage) => ({
  message_hash: base64Of(hash),
  message_hash_norm: name,
})
