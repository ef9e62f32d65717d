// The heaps of all threads of a process that runs, by the protocol of its inspector, which SIGUSR1 opens.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Megabytes of a thread's heap. */
export interface ThreadHeap {
  readonly thread: string
  readonly used: number
  readonly total: number
  /** Of buffers and of memories of WebAssembly, which its objects hold. */
  readonly external: number
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
}

type Result = Readonly<Record<string, unknown>>
/** Null from a worker that has ended. */
type Send = (method: string, params?: object) => Promise<Result | null>

const MB = 1e6
/** For V8 to give pages back that a collection has emptied. */
const SETTLE_MS = 3_000

class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<string, (result: Result | null) => void>()
  readonly #workers = new Map<string, string>()
  #next = 0
  onChunk: (chunk: string) => void = () => undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as Message, ''))
  }

  get workers(): ReadonlyMap<string, string> {
    return this.#workers
  }

  /** A process that stops waits for it. */
  close(): void {
    this.#socket.close()
  }

  /** A command to the main thread, or to a worker by its session. */
  sender(session = ''): Send {
    return (method, params = {}) => {
      const id = this.#next++
      const message = { id, method, params }
      const wrapped = {
        id,
        method: 'NodeWorker.sendMessageToWorker',
        params: { sessionId: session, message: JSON.stringify(message) },
      }
      return new Promise((resolve) => {
        if (session !== '' && !this.#workers.has(session)) return resolve(null)
        this.#waiting.set(`${session}:${id}`, resolve)
        this.#socket.send(JSON.stringify(session === '' ? message : wrapped))
      })
    }
  }

  #take({ id, method, params, result }: Message, session: string): void {
    if (id !== undefined) {
      this.#waiting.get(`${session}:${id}`)?.(result ?? {})
      this.#waiting.delete(`${session}:${id}`)
    }
    if (method === 'HeapProfiler.addHeapSnapshotChunk') this.onChunk(String(params?.chunk))
    if (method === 'NodeWorker.receivedMessageFromWorker')
      this.#take(JSON.parse(String(params?.message)) as Message, String(params?.sessionId))
    if (method === 'NodeWorker.detachedFromWorker') this.#forget(String(params?.sessionId))
    if (method === 'NodeWorker.attachedToWorker' && params !== undefined) {
      const { title, url } = params.workerInfo as { title: string; url: string }
      this.#workers.set(String(params.sessionId), url.replace(/.*\//, '') || title)
    }
  }

  #forget(session: string): void {
    this.#workers.delete(session)
    for (const [key, resolve] of this.#waiting) {
      if (!key.startsWith(`${session}:`)) continue
      this.#waiting.delete(key)
      resolve(null)
    }
  }
}

async function inspect(child: ChildProcess, address: Promise<string>): Promise<Inspector> {
  child.kill('SIGUSR1')
  const socket = new WebSocket(await address, { maxPayload: 2 ** 31 })
  await once(socket, 'open')
  const inspector = new Inspector(socket)
  await inspector.sender()('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await pause(500)
  return inspector
}

/** Its inspector listens at a port of its own choice, once it is wanted. */
export const INSPECTABLE = '--inspect-port=0'
export const LISTENING = /Debugger listening on (ws:\S+)/

export class InspectedProcess {
  readonly child: ChildProcess
  readonly #address: () => Promise<string>
  #inspector: Promise<Inspector> | null = null

  /** Of a process started with `INSPECTABLE`; `address` resolves with what it says when it is `LISTENING`. */
  constructor(child: ChildProcess, address: () => Promise<string>) {
    this.child = child
    this.#address = address
  }

  static spawned(args: readonly string[]): InspectedProcess {
    const child = spawn(process.execPath, [INSPECTABLE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const address = new Promise<string>((resolve) => {
      child.stderr?.on('data', (chunk) => {
        const found = LISTENING.exec(String(chunk))?.[1]
        if (found) resolve(found)
        else process.stderr.write(chunk)
      })
    })
    return new InspectedProcess(child, () => address)
  }

  #opened(): Promise<Inspector> {
    this.#inspector ??= inspect(this.child, this.#address())
    return this.#inspector
  }

  /** Sizes of all heaps, after everything that nothing holds is collected. */
  async heapsCollected(): Promise<readonly ThreadHeap[]> {
    const inspector = await this.#opened()
    const heaps: ThreadHeap[] = []
    for (const [session, thread] of [['', 'main'] as const, ...inspector.workers]) {
      const send = inspector.sender(session)
      await send('HeapProfiler.collectGarbage')
      await pause(SETTLE_MS / (inspector.workers.size + 1))
      const usage = await send('Runtime.getHeapUsage')
      const outside = await send('Runtime.evaluate', {
        expression: 'process.memoryUsage().external',
        returnByValue: true,
      })
      if (usage === null || outside === null) continue
      const { usedSize, totalSize } = usage
      const { value } = outside.result as { value: number }
      heaps.push({ thread, used: Number(usedSize) / MB, total: Number(totalSize) / MB, external: value / MB })
    }
    return heaps
  }

  async close(): Promise<void> {
    const inspector = await this.#inspector
    inspector?.close()
  }

  /** A snapshot of the main thread's heap, as text. */
  async snapshot(): Promise<string> {
    const inspector = await this.#opened()
    const chunks: string[] = []
    inspector.onChunk = (chunk) => chunks.push(chunk)
    await inspector.sender()('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    return chunks.join('')
  }
}
