// Clocks of another process: one that jumps to what a file says, and one that is faster than others.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SCRIPT = `import { readFileSync } from 'node:fs'
const Real = Date
let ahead = 0
setInterval(() => (ahead = Number(readFileSync(process.env.AHEAD_FILE, 'utf8'))), 20).unref()
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + ahead)
    else super(...given)
  }
  static now() {
    return Real.now() + ahead
  }
}`

export interface JumpingClock extends AsyncDisposable {
  /** For the process whose clock it is. */
  readonly env: Readonly<Record<string, string>>
  /** Sets it so many hours ahead of the real one; negative ones are behind. */
  jump(hours: number): Promise<void>
}

export async function jumpingClock(): Promise<JumpingClock> {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-clock-'))
  const script = join(folder, 'clock.mjs')
  const ahead = join(folder, 'ahead')
  const jump = (hours: number) => writeFile(ahead, String(hours * 3_600_000))
  await Promise.all([writeFile(script, SCRIPT), jump(0)])
  return {
    env: { NODE_OPTIONS: `--import=${script}`, AHEAD_FILE: ahead },
    jump,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

const FAST = `import { syncBuiltinESMExports } from 'node:module'
import promises from 'node:timers/promises'
const Real = Date
const rate = Number(process.env.CLOCK_RATE)
const begun = Real.now()
const now = () => Math.floor(begun + (Real.now() - begun) * rate)
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }
  static now() {
    return now()
  }
}
const sleep = promises.setTimeout
promises.setTimeout = (ms, ...rest) => sleep(ms / rate, ...rest)
syncBuiltinESMExports()`

/** A process whose clock runs so many times as fast, and whose pauses are as much shorter. */
export async function fastClock(rate: number): Promise<Pick<JumpingClock, 'env' | typeof Symbol.asyncDispose>> {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-clock-'))
  const script = join(folder, 'clock.mjs')
  await writeFile(script, FAST)
  return {
    env: { NODE_OPTIONS: `--import=${script}`, CLOCK_RATE: String(rate) },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
