// The thread that hashes blocks, one after the other.

import { parentPort } from 'node:worker_threads'
import { type HashedBlock, hashBlock } from '../verify/hashedBlock.ts'

export interface HashTask {
  readonly number: number
  readonly boc: Uint8Array<ArrayBuffer>
}

/** Null for bytes that are not a block: the caller parses them again and reports why. */
export type HashAnswer = 'ready' | { readonly number: number; readonly hashed: HashedBlock | null }

function hashedOf(boc: Uint8Array): HashedBlock | null {
  try {
    return hashBlock(boc)
  } catch {
    return null
  }
}

if (parentPort !== null) {
  const port = parentPort
  const say = (answer: HashAnswer, moved: ArrayBuffer[] = []) => port.postMessage(answer, moved)
  port.on('message', ({ number, boc }: HashTask) => {
    const hashed = hashedOf(boc)
    say({ number, hashed }, hashed === null ? [] : [hashed.bag.buffer])
  })
  say('ready')
}
