// Every way to make one call, so that a test can demand the same of all.

import type { MethodSpec } from '../../shared/registry.ts'
import { type Answered, ask, type Body, call, connectTo, post, queryOf, STRICT, TONCENTER } from './calls.ts'
import type { TestService } from './service.ts'

export type DoorName = 'REST GET' | 'REST POST' | 'toncenter JSON-RPC' | 'strict JSON-RPC' | 'WebSocket'

export interface Door {
  readonly name: DoorName
  /** Calls a method; `status` is 200 where a door has none. */
  call(
    service: TestService,
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<Pick<Answered, 'status' | 'body'>>
}

const restPath = (spec: MethodSpec, verb: 'GET' | 'POST') => spec.rest.find((route) => route.verb === verb)?.path

/** The doors a method has. */
export function doorsOf(spec: MethodSpec): Door[] {
  const doors: Door[] = [
    { name: 'toncenter JSON-RPC', call: (service, method, params) => post(service, TONCENTER, call(method, params)) },
    { name: 'strict JSON-RPC', call: (service, method, params) => post(service, STRICT, call(method, params)) },
    {
      name: 'WebSocket',
      async call(service, method, params) {
        await using socket = await connectTo(service)
        socket.send(call(method, params))
        return { status: 200, body: await socket.next() }
      },
    },
  ]
  const get = restPath(spec, 'GET')
  if (get) doors.push({ name: 'REST GET', call: (service, _method, params) => ask(service, get + queryOf(params)) })
  const posted = restPath(spec, 'POST')
  if (posted) doors.push({ name: 'REST POST', call: (service, _method, params) => post(service, posted, params) })
  return doors
}

/** What a call came to, out of whichever envelope; v3 over REST answers without one. */
export const resultIn = (body: Body): unknown =>
  body !== null && typeof body === 'object' && 'result' in body ? body.result : body
