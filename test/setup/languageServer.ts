// The compiler's language server over its standard streams: what an editor asks when a pointer rests on a name.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface LanguageServer extends AsyncDisposable {
  /** Opens a file; the function returned gives the text shown at the beginning of some words of it. */
  open(name: string, text: string): Promise<(words: string) => Promise<string>>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: unknown
}

export async function startLanguageServer(tsc: string, folder: string): Promise<LanguageServer> {
  const child = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>()
  let lastId = 0

  const post = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const request = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId++
      waiting.set(lastId, { resolve, reject })
      post({ id: lastId, method, params })
    })
  const receive = ({ id, method, result, error }: Message): void => {
    if (id === undefined) return
    // A question of the server, such as for its configuration: it goes on without an answer in it.
    if (method !== undefined) {
      post({ id, result: null })
      return
    }
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(JSON.stringify(error)))
  }

  let buffered = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    for (;;) {
      const end = buffered.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(buffered.subarray(0, Math.max(end, 0)).toString())?.[1])
      if (end < 0 || buffered.length < end + 4 + length) return
      receive(JSON.parse(buffered.subarray(end + 4, end + 4 + length).toString()))
      buffered = buffered.subarray(end + 4 + length)
    }
  })

  const rootUri = pathToFileURL(folder).href
  await request('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'consumer' }],
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  post({ method: 'initialized', params: {} })

  return {
    async open(name, text) {
      const uri = pathToFileURL(join(folder, name)).href
      post({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
      })
      return async (words) => {
        const before = text.slice(0, text.indexOf(words)).split('\n')
        const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
        return JSON.stringify(await request('textDocument/hover', { textDocument: { uri }, position }))
      }
    },
    async [Symbol.asyncDispose]() {
      await request('shutdown', undefined).catch(() => undefined)
      post({ method: 'exit' })
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
    },
  }
}
