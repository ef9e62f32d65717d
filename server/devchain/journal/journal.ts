// Stores records in the log of a folder, or in memory. Either way a record can be read again by its position.

import type { ChainLog, LogPosition, LogRecord, NewRecord } from '../log/index.ts'

export interface Journal {
  /** Resolves when the records survive the end of the process and, unless `durable` is false, a loss of power. */
  append(records: readonly NewRecord[], how?: { readonly durable: boolean }): Promise<readonly LogPosition[]>
  read(at: LogPosition): Promise<Pick<LogRecord, 'type' | 'payload'>>
  /** At least the first bytes of its payload, which must be checked by other means. */
  readStart(at: LogPosition): Promise<Pick<LogRecord, 'type' | 'payload'>>
  /** Behind the last record. */
  readonly end: LogPosition
  close(): Promise<void>
}

/** Keeps everything on disk. */
export function diskJournal(log: ChainLog): Journal {
  return {
    append: (records, { durable } = { durable: true }) => log.append(records, { durable }),
    read: (at) => log.read(at),
    readStart: (at) => log.readStart(at),
    get end() {
      return log.end
    },
    close: () => log.close(),
  }
}

/** Keeps everything in memory: for chains that need not outlive their process. */
export function memoryJournal(): Journal {
  const records: NewRecord[] = []
  const read: Journal['read'] = ({ offset }) => {
    const record = records[offset]
    if (record === undefined) return Promise.reject(new Error(`There is no record ${offset}`))
    return Promise.resolve({ type: record.type, payload: Buffer.from(record.payload) })
  }
  return {
    append: (added) => Promise.resolve(added.map((record) => ({ segment: 1, offset: records.push(record) - 1 }))),
    read,
    readStart: read,
    get end() {
      return { segment: 1, offset: records.length }
    },
    close: () => Promise.resolve(),
  }
}
