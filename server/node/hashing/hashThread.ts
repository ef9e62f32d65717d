// The thread that hashes blocks, one after the other.

import { parentPort } from 'node:worker_threads'
import type { BinaryHash } from '../../cell/index.ts'
import { type HashedBlock, hashBlock } from '../verify/hashedBlock.ts'

export interface HashTask {
  readonly number: number
  readonly boc: Uint8Array<ArrayBuffer>
  /** That the block has by its name. */
  readonly file: BinaryHash
}

/** Null for bytes that are not the block: the caller parses them again and reports why. */
export interface HashAnswer {
  readonly number: number
  readonly hashed: HashedBlock | null
}

function hashedOf({ boc, file }: HashTask): HashedBlock | null {
  try {
    return hashBlock(boc, file)
  } catch {
    return null
  }
}

if (parentPort !== null) {
  const port = parentPort
  const say = (answer: HashAnswer | 'ready', moved: ArrayBuffer[] = []) => port.postMessage(answer, moved)
  port.on('message', (task: HashTask) => {
    const { number } = task
    const hashed = hashedOf(task)
    say({ number, hashed }, hashed === null ? [] : [hashed.bag.buffer])
  })
  say('ready')
}
