// Runs as they are posted to a thread: plain, immutable data.

import { toBase64 } from './boc.ts'
import type { Job } from './jobs.ts'
import type { BlockContext, GetMethodRun, TransactionRun } from './runs.ts'

export function getMethodJob(configHash: string, run: GetMethodRun): Job {
  const portable: GetMethodRun = {
    ...run,
    code: toBase64(run.code),
    data: toBase64(run.data),
    stack: toBase64(run.stack),
    libs: run.libs == null ? null : toBase64(run.libs),
    prevBlocks: run.prevBlocks == null ? null : toBase64(run.prevBlocks),
    ...(run.randSeed === undefined ? {} : { randSeed: Uint8Array.from(run.randSeed) }),
  }
  return { kind: 'getMethod', configHash, run: portable }
}

export function transactionJob(configHash: string, block: BlockContext, run: TransactionRun): Job {
  const portableBlock: BlockContext = {
    ...block,
    randSeed: Uint8Array.from(block.randSeed),
    libs: block.libs == null ? null : toBase64(block.libs),
    prevBlocks: block.prevBlocks == null ? null : toBase64(block.prevBlocks),
  }
  const portable = { ...run, shardAccount: toBase64(run.shardAccount), message: toBase64(run.message) }
  return { kind: 'transaction', configHash, block: portableBlock, run: portable }
}
