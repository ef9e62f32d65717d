// What the tests of the log share: folders that go away, records that can be made again from their number, children to
// kill, and disks that fail when instructed to.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { diskFiles } from '../../../../server/devchain/log/files.ts'
import {
  type ChainLog,
  type ChainLogOptions,
  type Files,
  type LogFile,
  type LogRecord,
  type NewRecord,
  openLog,
} from '../../../../server/devchain/log/index.ts'

export const network = Buffer.from('test-network')

/** A folder that does not exist yet, inside one that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const outer = await mkdtemp(join(tmpdir(), 'tonrpc-log-'))
  onTestFinished(() => rm(outer, { recursive: true, force: true }))
  return join(outer, 'data')
}

/** The record of this number: mostly small, now and then large, never the same. It uses nothing outside, as its source is sent to a child. */
export function makeRecord(number: number): { type: number; payload: Buffer } {
  let state = Math.imul(number + 1, 2654435761) >>> 0 || 1
  const draw = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  const size = draw() % (number % 50 === 7 ? 60_000 : number % 10 === 3 ? 5_000 : 300)
  const payload = Buffer.alloc(size)
  for (let at = 0; at < size; at++) payload[at] = draw()
  return { type: 1 + (draw() % 255), payload }
}

export const recordsFrom = (first: number, count: number): NewRecord[] =>
  Array.from({ length: count }, (_, i) => makeRecord(first + i))

/** Fails unless `found` are the records of the numbers from `first` on. */
export function expectRecords(found: readonly LogRecord[], first = 0): void {
  for (const [i, { type, payload }] of found.entries()) {
    const made = makeRecord(first + i)
    if (type !== made.type || !payload.equals(made.payload)) expect({ number: first + i, type, payload }).toEqual(made)
  }
}

export interface OpenedLog {
  readonly log: ChainLog
  readonly found: readonly LogRecord[]
}

/** Opens a log, keeping what it hands over; it is closed with the test. */
export async function open(folder: string, options: Partial<ChainLogOptions> = {}): Promise<OpenedLog> {
  const found: LogRecord[] = []
  const log = await openLog(folder, { network, replay: (record) => void found.push(record), ...options })
  onTestFinished(() => log.close().catch(() => undefined))
  return { log, found }
}

/** A log of `count` records in the given folder, cleanly closed. */
export async function writeLog(folder: string, count: number, options: Partial<ChainLogOptions> = {}): Promise<void> {
  const { log } = await open(folder, options)
  for (let number = 0; number < count; number += 5)
    await log.append(recordsFrom(number, Math.min(5, count - number)), { durable: number % 3 === 0 })
  await log.close()
}

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const built = pathToFileURL(join(root, '.build/server/devchain/log/index.js')).href

/** Runs a script in a process of its own; `log` in it is the compiled room. */
export function startChild(script: string, args: readonly string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const source = `const log = await import(${JSON.stringify(built)})\n${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

type Fault = 'write' | 'sync' | 'truncate' | 'rename' | 'open' | 'syncFolder'

/** The disk, asking `fails` before each step; what it returns is thrown. A write that fails gets half of its bytes out. */
export function faultyFiles(fails: (step: Fault, path: string) => string | null): Files {
  const attempt = (step: Fault, path: string): void => {
    const code = fails(step, path)
    if (code !== null) throw Object.assign(new Error(`${code}: made up, ${step}`), { code })
  }
  const wrap = (file: LogFile, path: string): LogFile => ({
    ...file,
    async write(bytes, at) {
      try {
        attempt('write', path)
      } catch (error) {
        await file.write(bytes.subarray(0, bytes.length >> 1), at)
        throw error
      }
      return file.write(bytes, at)
    },
    async sync() {
      attempt('sync', path)
      return file.sync()
    },
    async truncate(size) {
      attempt('truncate', path)
      return file.truncate(size)
    },
  })
  return {
    ...diskFiles,
    async open(path, mode) {
      attempt('open', path)
      return wrap(await diskFiles.open(path, mode), path)
    },
    async rename(from, to) {
      attempt('rename', to)
      return diskFiles.rename(from, to)
    },
    async syncFolder(folder) {
      attempt('syncFolder', folder)
      return diskFiles.syncFolder(folder)
    },
  }
}

/** Bytes of the files of a folder whose names begin like this, in the order of their names. */
export async function fileSizes(folder: string, beginning: string): Promise<number[]> {
  const found = (await readdir(folder)).filter((name) => name.startsWith(beginning)).sort()
  return Promise.all(found.map(async (name) => (await stat(join(folder, name))).size))
}

export const totalBytes = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

/** The disk, with a look at each read of a file and its bytes. */
export const watchedReads = (onRead: (path: string, bytes: number) => void): Files => ({
  ...diskFiles,
  async open(path, mode) {
    // Without `readNow`, all reads are made by this one.
    const { readNow: _, ...file } = await diskFiles.open(path, mode)
    return {
      ...file,
      read(into, from) {
        onRead(path, into.length)
        return file.read(into, from)
      },
    }
  },
})
