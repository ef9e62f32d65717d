// Loaded into a service before its own code: notes the turns of its event loop that take long, and what they are spent on.
// Time of the processor counts, so that other programs on the machine do not.

import { openSync, readSync, writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** Microseconds on the clock of all processes. */
export interface Turn {
  readonly from: number
  readonly until: number
  readonly cpu: number
}

export interface Watched {
  /** The file it was started with. */
  readonly program: string
  readonly turns: readonly Turn[]
  readonly profile: Profiler.Profile
}

const LONG_US = 5_000
const SAMPLE_US = 250

function watch(file: string): void {
  const program = basename(process.argv[1] ?? '')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US })
  session.post('Profiler.start')

  const used = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const text = Buffer.alloc(64)
  const cpuUs = () => Number(text.toString('latin1', 0, readSync(used, text, 0, 64, 0)).split(' ')[0]) / 1000
  const nowUs = () => Number(process.hrtime.bigint() / 1000n)

  const turns: Turn[] = []
  let from = nowUs()
  let before = cpuUs()
  // Once in each turn. It keeps neither the process nor the loop awake.
  function turn(): void {
    const until = nowUs()
    const after = cpuUs()
    if (after - before > LONG_US) turns.push({ from, until, cpu: after - before })
    from = until
    before = after
    setImmediate(turn).unref()
  }
  setImmediate(turn).unref()
  process.on('exit', () => {
    session.post('Profiler.stop', (_, { profile }) =>
      writeFileSync(file, JSON.stringify({ program, turns, profile } satisfies Watched)),
    )
  })
}

const { TURNS_FILE: file } = process.env
if (isMainThread && file !== undefined) watch(`${file}${process.pid}`)
