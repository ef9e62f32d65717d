// Runs as they are posted to a thread: plain, immutable data.

import { bocToBase64 } from './bocForm.ts'
import type { Job } from './jobs.ts'
import { portableLibraries } from './tvmLibraries.ts'
import type { BlockContext, GetMethodRun, TransactionRun } from './tvmRuns.ts'

export function getMethodJob(configHash: string, run: GetMethodRun): Job {
  const portable: GetMethodRun = {
    ...run,
    code: bocToBase64(run.code),
    data: bocToBase64(run.data),
    stack: bocToBase64(run.stack),
    libs: portableLibraries(run.libs),
    prevBlocks: run.prevBlocks == null ? null : bocToBase64(run.prevBlocks),
    ...(run.randSeed === undefined ? {} : { randSeed: Uint8Array.from(run.randSeed) }),
  }
  return { kind: 'getMethod', configHash, run: portable }
}

export function transactionJob(configHash: string, block: BlockContext, run: TransactionRun): Job {
  const portableBlock: BlockContext = {
    ...block,
    randSeed: Uint8Array.from(block.randSeed),
    libs: portableLibraries(block.libs),
    prevBlocks: block.prevBlocks == null ? null : bocToBase64(block.prevBlocks),
  }
  const portable = { ...run, shardAccount: bocToBase64(run.shardAccount), message: bocToBase64(run.message) }
  return { kind: 'transaction', configHash, block: portableBlock, run: portable }
}
