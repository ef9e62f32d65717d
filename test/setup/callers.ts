// Callers that each have one connection, which stays open: of a service with several processes they meet several.

import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type Body, call } from './calls.ts'

type Where = { readonly url: string }

/** A caller with one connection of its own, which stays open. */
export class Caller implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string

  constructor({ url }: Where) {
    this.#url = url
  }

  async post(path: string, value: unknown, headers: Readonly<Record<string, string>> = {}) {
    const type = { 'Content-Type': 'application/json' }
    const { text, ...rest } = await this.#send('POST', path, { ...type, ...headers }, JSON.stringify(value))
    return { ...rest, body: JSON.parse(text) as Body }
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}) {
    return this.#send('GET', path, headers, '')
  }

  async ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Body> {
    const { body } = await this.post('/jsonRPC', call(method, params))
    return body
  }

  async #send(method: string, path: string, headers: Readonly<Record<string, string>>, body: string) {
    const sent = request(this.#url + path, { method, agent: this.#agent, headers })
    sent.end(body)
    const [reply] = await once(sent, 'response')
    let text = ''
    for await (const chunk of reply) text += chunk
    // Ids of requests begin with the name of their process.
    const [by = ''] = String(reply.headers['x-request-id']).split('-')
    return { status: Number(reply.statusCode), by, text }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

export function callers(where: Where, count: number): Caller[] & Disposable {
  const all = Array.from({ length: count }, () => new Caller(where))
  return Object.assign(all, {
    [Symbol.dispose]() {
      for (const one of all) one[Symbol.dispose]()
    },
  })
}

/**
 * A caller for each of so many processes, by the name of the process. A process that is busy for a moment gets no new connections:
 * some are made until each process has one.
 */
export async function callerOfEach(where: Where, processes: number): Promise<ReadonlyMap<string, Caller>> {
  const found = new Map<string, Caller>()
  while (found.size < processes) {
    const some = callers(where, 4)
    const answered = await Promise.all(some.map(async (one) => [(await one.get('/healthz')).by, one] as const))
    for (const [by, one] of answered) {
      if (found.has(by)) one[Symbol.dispose]()
      else found.set(by, one)
    }
  }
  return found
}

/** Processes that the service has started. */
export const workersOf = ({ child }: { readonly child: ChildProcess }): number[] =>
  execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)
