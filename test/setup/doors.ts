// Every way to make one call, so that a test can demand the same of all.

import { Agent, request } from 'node:http'
import type { MethodSpec } from '../../shared/registry.ts'
import { type Answered, type Body, call, connectTo, queryOf, type Socket, STRICT, TONCENTER } from './calls.ts'
import type { TestService } from './service.ts'

export type DoorName = 'REST GET' | 'REST POST' | 'toncenter JSON-RPC' | 'strict JSON-RPC' | 'WebSocket'

type Reply = Pick<Answered, 'status' | 'body'>

export interface Door {
  readonly name: DoorName
  /** Calls a method; `status` is 200 where a door has none. */
  call(service: TestService, method: string, params: Readonly<Record<string, unknown>>): Promise<Reply>
}

const agent = new Agent({ keepAlive: true })

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    // A text that is no reply of ours is for the test to refuse.
    return { text }
  }
}

/** A POST of a value, or a GET: for thousands of calls, at less than a `fetch` costs. */
const exchange = ({ url }: TestService, path: string, value?: unknown): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const body = value === undefined ? '' : JSON.stringify(value)
    const given =
      value === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const options = { agent, method: value === undefined ? 'GET' : 'POST', headers: { Accept: '*/*', ...given } }
    const sent = request(url + path, options, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      reply.on('error', reject).on('end', () => resolve({ status: reply.statusCode ?? 0, body: parsed(text) }))
    })
    sent.on('error', reject).end(body)
  })

/** Open sockets that wait for no frame. */
const idle = new WeakMap<TestService, Socket[]>()

async function overSocket(service: TestService, value: unknown): Promise<Reply> {
  const sockets = idle.get(service) ?? []
  idle.set(service, sockets)
  const kept = sockets.pop()
  const socket = kept !== undefined && kept.ws.readyState === kept.ws.OPEN ? kept : await connectTo(service)
  socket.send(value)
  const body = await socket.next()
  sockets.push(socket)
  return { status: 200, body }
}

const restPath = (spec: MethodSpec, verb: 'GET' | 'POST') => spec.rest.find((route) => route.verb === verb)?.path

/** The doors a method has. */
export function doorsOf(spec: MethodSpec): Door[] {
  const doors: Door[] = [
    {
      name: 'toncenter JSON-RPC',
      call: (service, method, params) => exchange(service, TONCENTER, call(method, params)),
    },
    { name: 'strict JSON-RPC', call: (service, method, params) => exchange(service, STRICT, call(method, params)) },
    { name: 'WebSocket', call: (service, method, params) => overSocket(service, call(method, params)) },
  ]
  const get = restPath(spec, 'GET')
  if (get)
    doors.push({ name: 'REST GET', call: (service, _method, params) => exchange(service, get + queryOf(params)) })
  const posted = restPath(spec, 'POST')
  if (posted) doors.push({ name: 'REST POST', call: (service, _method, params) => exchange(service, posted, params) })
  return doors
}

/** What a call came to, out of whichever envelope; v3 over REST answers without one. */
export const resultIn = (body: Body): unknown =>
  body !== null && typeof body === 'object' && 'result' in body ? body.result : body
