// The thread of the embedded database: requests in PostgreSQL's protocol in, responses out, one after the other.
//
// Memory is bounded by `shared_buffers`; pages beyond that are in the system's file cache, outside of this process. `fsync` of a
// file does nothing in PGlite: here it does, so that committed data survive a loss of power. Measured on a fast disk, that costs
// a commit a fraction of a millisecond.

import { fdatasyncSync, mkdirSync, openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type Extension, PGlite } from '@electric-sql/pglite'
import { boundTimers } from './boundTimers.ts'
import { addDatabase, addOwnFilesQuickly, type FilesModule } from './memoryFiles.ts'
import { type NamedFiles, rememberMissing } from './missingFiles.ts'
import { beginProgress, syncShareInThread } from './syncTogether.ts'
import {
  type FirstToThread,
  type FromThread,
  joined,
  type SyncOrder,
  type ThreadSetup,
  type ToThread,
} from './threadMessages.ts'
import { type FileNode, UnsyncedFiles } from './unsyncedFiles.ts'

const port = parentPort
if (port === null) throw new Error('This file must be run as a worker thread')
// Its time limits go by the wall clock: set back by a month, each would fire and be set again hundreds of times a second.
boundTimers()
// The cast: `Session.start` sends one.
const setup = workerData as ThreadSetup

interface OpenFile {
  readonly nfd: number
  readonly node: FileNode
}

type WriteOf = (file: OpenFile, ...rest: readonly unknown[]) => number
type ChangeOf<T> = (of: T, attributes: { readonly size?: number | null }) => void

/** The part of PGlite's file system that is changed here. */
interface DiskModule {
  readonly NODEFS: {
    realPath(node: FileNode): string
    readonly node_ops: { setattr: ChangeOf<FileNode> } & NamedFiles
    readonly stream_ops: { write: WriteOf; setattr: ChangeOf<OpenFile>; fsync?: (file: OpenFile) => number }
  }
}

/** The operating system reports a failed write only once, to the first `fsync`: one that failed must not be repeated. */
function together(files: readonly number[]): void {
  const progress = beginProgress()
  send({ files, progress } satisfies SyncOrder)
  syncShareInThread(files, progress, fdatasyncSync)
}

/** Where PGlite looks for its database. */
const DATABASE = '/pglite/data'

/** Only an extension has access to the file systems before the database starts. */
const quickFiles: Extension = {
  name: 'quickFiles',
  async setup(_pglite, options) {
    const add = (module: FilesModule) => {
      addOwnFilesQuickly(module)
      if (setup.image !== null) addDatabase(module, DATABASE, setup.image)
    }
    return { emscriptenOpts: { ...options, preRun: [...options.preRun, add], printErr, onAbort } }
  },
}

/** Makes `fsync` reach the disk. */
const durable: Extension = {
  name: 'durable',
  async setup(_pglite, options) {
    const reachDisk = ({ NODEFS }: DiskModule) => {
      const { node_ops: nodes, stream_ops: streams } = NODEFS
      rememberMissing(nodes)
      const unsynced = new UnsyncedFiles({
        pathOf: (node) => NODEFS.realPath(node),
        open: (path) => openSync(path, 'r+'),
        atOnce: setup.syncs,
        together,
      })
      const { setattr: setNode } = nodes
      const { setattr: setFile, write } = streams
      streams.write = (file, ...rest) => {
        unsynced.changed(file.node)
        return write(file, ...rest)
      }
      streams.setattr = (file, attributes) => {
        if (attributes.size != null) unsynced.changed(file.node)
        setFile(file, attributes)
      }
      nodes.setattr = (node, attributes) => {
        if (attributes.size != null) unsynced.changed(node)
        setNode(node, attributes)
      }
      streams.fsync = ({ nfd, node }) => {
        unsynced.sync(node, nfd)
        return 0
      }
    }
    return { emscriptenOpts: { ...options, preRun: [...options.preRun, reachDisk] } }
  },
}

/** The last error of PostgreSQL. A panic, such as no space for its log, is only reported here. */
let lastWords = ''

function printErr(line: string): void {
  const [, words] = /(?:PANIC|FATAL): +(.*)/.exec(line) ?? []
  if (words !== undefined) lastWords = words
}

// After a panic PGlite continues, and waits without end for locks that are never released.
function onAbort(): void {
  send({ failure: lastWords || 'it ended' })
  process.exit(1)
}

const settings: Readonly<Record<string, string>> = {
  wal_buffers: '1MB',
  max_wal_size: '64MB',
  // Of a new file of the log only the end is written before it is used: filled with zeros, each was written twice.
  wal_init_zero: 'off',
  // The one method that `durable` implements.
  wal_sync_method: 'fsync',
  // One session, whose pages are mostly in memory.
  random_page_cost: '1.1',
  // Statistics are gathered between statements, which wait for that.
  default_statistics_target: '30',
}

function startParams({ folder, pagesMb }: ThreadSetup): string[] {
  const inMemory = folder === null
  const usual = PGlite.defaultStartParams.filter((word) => inMemory || word !== '-F')
  // Zeroed at each start. In memory, files are as near as buffers.
  const all = { ...settings, shared_buffers: inMemory ? '4MB' : `${pagesMb}MB` }
  return [...usual, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

function send(message: FromThread): void {
  if (!(message instanceof Uint8Array)) port?.postMessage(message)
  // The cast: a thread's own bytes are in no memory that threads share.
  else port?.postMessage(message, [message.buffer as ArrayBuffer])
}

const { folder } = setup
// It is compiled while this thread begins.
const code = await new Promise<FirstToThread>((resolve) => port.once('message', resolve))
if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 })
const pglite = await PGlite.create({
  ...(folder === null ? { extensions: { quickFiles } } : { dataDir: folder, extensions: { quickFiles, durable } }),
  pgliteWasmModule: code,
  startParams: startParams(setup),
}).catch((error: unknown) => {
  throw lastWords === '' ? error : new Error(lastWords, { cause: error })
})

/** Sent at once: of a long response the process parses the beginning while the rest is made. */
const PIECE_BYTES = 64 * 1024

let pieces: Uint8Array[] = []
let pieceBytes = 0

function sendPieces(): void {
  const [only] = pieces
  if (only !== undefined) send(pieces.length === 1 ? only : joined(pieces))
  pieces = []
  pieceBytes = 0
}

/** `view` is memory of the database, which is overwritten later. */
function onRawData(view: Uint8Array): void {
  pieces.push(view.slice())
  pieceBytes += view.length
  if (pieceBytes >= PIECE_BYTES) sendPieces()
}

/** PGlite's other raw calls parse each response a second time and keep all of them until the database is closed. */
async function respond(request: Uint8Array): Promise<void> {
  await pglite.execProtocolRawStream(request, { syncToFs: false, onRawData })
  sendPieces()
}

port.on('message', (message: ToThread) => {
  if (message !== 'close') return void respond(message)
  // Writes the log out, so that the next start has nothing to recover.
  const done = () => send('closed')
  void pglite.close().then(done, done)
})
send('ready')
