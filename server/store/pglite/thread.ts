// The thread of the embedded database: questions in PostgreSQL's protocol in, answers out, one after the other.
//
// Memory is bounded by `shared_buffers`; what does not fit is in the system's file cache, where it costs no memory of
// ours. `fsync` of a file does nothing in PGlite: here it does, so that what was committed is on the disk, after a loss of
// power too. Durability was measured to cost a commit a fraction of a millisecond on a fast disk.

import { fdatasyncSync, mkdirSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { type Extension, PGlite } from '@electric-sql/pglite'
import { type FromThread, joined, type ThreadSetup, type ToThread } from './threadMessages.ts'

const port = parentPort
if (port === null) throw new Error('This file is the start of a worker thread')
const setup = workerData as ThreadSetup

interface DiskModule {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } }
}

/** Makes `fsync` reach the disk. An extension is the one who may touch the file system before the database starts. */
const durable: Extension = {
  name: 'durable',
  async setup(_pglite, options) {
    const reachDisk = (module: DiskModule) => {
      module.NODEFS.stream_ops.fsync = ({ nfd }) => {
        fdatasyncSync(nfd)
        return 0
      }
    }
    return { emscriptenOpts: { ...options, preRun: [...options.preRun, reachDisk], printErr, onAbort } }
  },
}

/** Why PostgreSQL gave up. A panic, such as no room for its log, is told on this way alone. */
let lastWords = ''

function printErr(line: string): void {
  const [, words] = /(?:PANIC|FATAL): +(.*)/.exec(line) ?? []
  if (words !== undefined) lastWords = words
}

// PGlite goes on after a panic and waits for ever for locks that nobody holds any more.
function onAbort(): void {
  send({ failure: lastWords || 'it gave up' })
  process.exit(1)
}

const settings: Readonly<Record<string, string>> = {
  shared_buffers: '32MB',
  wal_buffers: '1MB',
  max_wal_size: '64MB',
  // Through the one call that `durable` makes real.
  wal_sync_method: 'fsync',
  // There is one session, and what it plans for is in memory or nearly so.
  random_page_cost: '1.1',
  // Statistics are gathered between statements, where every millisecond is waited for.
  default_statistics_target: '30',
}

function startParams(inMemory: boolean): string[] {
  const usual = PGlite.defaultStartParams.filter((word) => inMemory || word !== '-F')
  return [...usual, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

function send(message: FromThread): void {
  if (!(message instanceof Uint8Array)) port?.postMessage(message)
  else port?.postMessage(message, [message.buffer as ArrayBuffer])
}

const { folder, image, code } = setup
if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 })
const pglite = await PGlite.create({
  ...(folder === null ? {} : { dataDir: folder, extensions: { durable } }),
  ...(image === null ? {} : { loadDataDir: new Blob([image as Uint8Array<ArrayBuffer>]) }),
  pgliteWasmModule: code,
  startParams: startParams(folder === null),
}).catch((error: unknown) => {
  throw lastWords === '' ? error : new Error(lastWords, { cause: error })
})

/** Of an answer handed over at once: a long one is taken apart by the process while the rest of it is made. */
const PIECE_BYTES = 64 * 1024

let pieces: Uint8Array[] = []
let pieceBytes = 0

function sendPieces(): void {
  const [only] = pieces
  if (only !== undefined) send(pieces.length === 1 ? only : joined(pieces))
  pieces = []
  pieceBytes = 0
}

/** A view into the memory of the database, which is used again. */
function onRawData(view: Uint8Array): void {
  pieces.push(view.slice())
  pieceBytes += view.length
  if (pieceBytes >= PIECE_BYTES) sendPieces()
}

/** The other raw calls parse each answer a second time and keep all of it for as long as the database is open. */
async function answer(question: Uint8Array): Promise<void> {
  await pglite.execProtocolRawStream(question, { syncToFs: false, onRawData })
  sendPieces()
}

port.on('message', (message: ToThread) => {
  if (message !== 'close') return void answer(message)
  // Writes out what is in memory only, so that the next start has nothing to recover.
  const done = () => send('closed')
  void pglite.close().then(done, done)
})
send('ready')
