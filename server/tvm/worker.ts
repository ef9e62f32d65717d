// A thread of the pool: one emulator, one job after the other.

import { parentPort, workerData } from 'node:worker_threads'
import { createExecutor } from './emulator.ts'
import type { FromWorker, Job, JobResult, ToWorker, WorkerSetup } from './jobs.ts'
import { progressWords } from './jobs.ts'
import { threadNumber } from './threadTime.ts'
import type { TvmConfig } from './tvmConfig.ts'
import { TvmError } from './tvmError.ts'

const port = parentPort
if (port === null) throw new Error('This file is the start of a worker thread')
const { code, progress }: WorkerSetup = workerData
const words = new Int32Array(progress)
const configs = new Map<string, TvmConfig>()
const emulator = await createExecutor(code)

function send(message: FromWorker): void {
  port?.postMessage(message)
}

function work(job: Job): JobResult {
  const config = configs.get(job.configHash)
  if (config === undefined) throw new TvmError('badConfig', `No configuration ${job.configHash} in this thread`)
  emulator.setConfig(config)
  if (job.kind === 'getMethod') return emulator.runGetMethod(job.run)
  emulator.beginBlock(job.block)
  return emulator.transaction(job.run)
}

async function answer(id: number, turn: number, job: Job): Promise<void> {
  if (Atomics.load(words, progressWords.turn) !== turn) return
  // An earlier job may have ruined the instance.
  if (emulator.broken) await emulator.restart()
  Atomics.store(words, progressWords.atWork, id)
  const began = performance.now()
  const finished = () => ({ id, ms: performance.now() - began, memoryBytes: emulator.memoryBytes })
  try {
    const result = work(job)
    send({ kind: 'done', result, ...finished() })
  } catch (cause) {
    const failure = cause instanceof TvmError ? cause : new TvmError('crashed', String(cause))
    send({ kind: 'failed', code: failure.code, text: failure.message, ...finished() })
  } finally {
    Atomics.store(words, progressWords.atWork, 0)
  }
}

async function take(message: ToWorker): Promise<void> {
  if (message.kind === 'config') configs.set(message.config.hash, message.config)
  else if (message.kind === 'forget') configs.delete(message.configHash)
  else await answer(message.id, message.turn, message.job)
}

// One after the other: a job may have to restart the emulator first, and a configuration is forgotten after the jobs before it.
let last = Promise.resolve()
port.on('message', (messages: readonly ToWorker[]) => {
  for (const message of messages) last = last.then(() => take(message))
})
send({ kind: 'ready', thread: threadNumber() })
