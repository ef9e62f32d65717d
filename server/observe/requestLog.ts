// One JSON line per request, apart from the log of the service: who called what, how it ended and what it took. Without
// secrets: a key appears by its id, a path without its query.

import { resolve } from 'node:path'
import { AppendedFile } from './appendedFile.ts'
import type { Log } from './log.ts'

/** A finished request, or one call of a WebSocket. */
export interface RequestRecord {
  readonly requestId: string
  /** Id of the caller's key; null without one. */
  readonly keyId: string | null
  /** The caller's address, or the /64 of an IPv6 one; null for callers with a key. */
  readonly address: string | null
  /** `GET`, `POST` and so on; `WS` for a call of a WebSocket. */
  readonly verb: string
  /** Empty for a call of a WebSocket. */
  readonly path: string
  /** Methods that were called, with the number of calls. */
  readonly methods: ReadonlyMap<string, number>
  /** Kind of the last error among its calls; null when all went well. */
  readonly error: string | null
  /** HTTP status; 0 when the caller left before the answer. */
  readonly status: number
  readonly ms: number
  /** Bytes of the answer's body, as sent. */
  readonly bytes: number
}

export interface RequestLog {
  write(record: RequestRecord): void
  close(): Promise<void>
}

export interface RequestLogOptions {
  /** `stdout`, or the path of a file. */
  readonly to: string
  /** One of so many requests is written; those that failed on our side always are. */
  readonly sample: number
  readonly log: Pick<Log, 'info' | 'warn'>
}

const MOST_PATH = 200
const MOST_METHODS = 20
const SERVER_ERROR = 500
/** Sent by log rotation after it has moved the file away. */
const REOPEN = ['SIGUSR2', 'SIGHUP'] as const

function lineOf({ methods, path, ms, ...rest }: RequestRecord): string {
  const names = [...methods.keys()]
  const calls = [...methods.values()].reduce((sum, count) => sum + count, 0)
  const called =
    names.length > 1
      ? { method: 'batch', calls, methods: Object.fromEntries([...methods].slice(0, MOST_METHODS)) }
      : { method: names[0] ?? null, calls }
  const time = new Date().toISOString()
  const whole = { time, ...rest, path: path.slice(0, MOST_PATH), ...called, ms: Math.round(ms * 100) / 100 }
  return `${JSON.stringify(whole)}\n`
}

async function openFile(to: string, log: Pick<Log, 'info' | 'warn'>) {
  // An absolute path: the current folder may change before the log is opened again.
  const file = new AppendedFile(resolve(to), {
    failed: ({ message }) => log.warn({ to, reason: message }, 'request log cannot be written: lines are lost'),
    resumed: (lost) => log.info({ to, lost }, 'request log is written again'),
  })
  await file.open()
  const reopen = () => file.reopen()
  for (const signal of REOPEN) process.on(signal, reopen)
  return {
    write: (line: string) => file.write(line),
    close: () => {
      for (const signal of REOPEN) process.off(signal, reopen)
      return file.close()
    },
  }
}

/** Characters that may wait for a reader that has stopped reading. */
const MOST_WAITING = 8 * 1024 * 1024

function standardOutput(log: Pick<Log, 'info' | 'warn'>) {
  const to = 'stdout'
  let lost = 0
  return {
    write(line: string) {
      if (process.stdout.writableLength > MOST_WAITING) {
        if (lost++ === 0)
          log.warn({ to, reason: 'its reader is too slow' }, 'request log cannot be written: lines are lost')
        return
      }
      if (lost > 0) log.info({ to, lost }, 'request log is written again')
      lost = 0
      process.stdout.write(line)
    },
    close: () => Promise.resolve(),
  }
}

/** Rejects when the file cannot be opened. */
export async function openRequestLog({ to, sample, log }: RequestLogOptions): Promise<RequestLog> {
  const out = to === 'stdout' ? standardOutput(log) : await openFile(to, log)
  let count = 0
  return {
    write(record) {
      const isChosen = count++ % sample === 0
      if (isChosen || record.status >= SERVER_ERROR) out.write(lineOf(record))
    },
    close: () => out.close(),
  }
}
