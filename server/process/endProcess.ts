// The end of a process in bounded time: `process.exit` waits for what threads of Node read from files or write to them, on a disk
// that hangs without end.

import { pause } from './timeLimit.ts'

/** For the last reads and writes. */
const END_MS = 2_000
const CHECK_MS = 10
const never = new AbortController().signal

const usesFiles = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))

/**
 * Exits as soon as no file is read or written; kills the process if one still is after a while. `onHang` is called before that. The
 * first process of a container cannot kill itself: Docker and its like do that some seconds later.
 */
export async function endProcess(code: number, onHang: () => void): Promise<void> {
  for (let waited = 0; usesFiles(); waited += CHECK_MS) {
    if (waited >= END_MS) {
      onHang()
      process.kill(process.pid, 'SIGKILL')
      break
    }
    await pause(CHECK_MS, never)
  }
  process.exit(code)
}
