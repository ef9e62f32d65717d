// A clock of another process that jumps to what a file says.

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
  const [script, ahead] = [join(folder, 'clock.mjs'), join(folder, 'ahead')]
  const jump = (hours: number) => writeFile(ahead, String(hours * 3_600_000))
  await Promise.all([writeFile(script, SCRIPT), jump(0)])
  return {
    env: { NODE_OPTIONS: `--import=${script}`, AHEAD_FILE: ahead },
    jump,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
