// WebSockets of a server that has nothing else, whose calls a test answers.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { Turns } from '../../../../server/fairness/index.ts'
import { defaultLimits } from '../../../../server/http/httpOptions.ts'
import { HeldReplies } from '../../../../server/http/replies/heldReplies.ts'
import { createSockets, type SocketParts, type Sockets } from '../../../../server/http/rpc/createSockets.ts'
import { NO_MODIFIERS } from '../../../../server/methods/index.ts'

interface SocketScene extends Pick<SocketParts, 'rpc'> {
  readonly held?: HeldReplies
  readonly limits?: Partial<SocketParts['limits']>
  readonly logged?: unknown[]
}

export const heldOfScene = new HeldReplies(defaultLimits.heldBytes, () => undefined)

export const rpcSocketsOf = ({ rpc, held = heldOfScene, limits = {}, logged = [] }: SocketScene): Sockets =>
  createSockets({
    rpc,
    log: { error: (...line: unknown[]) => void logged.push(line) },
    held,
    turns: new Turns(),
    onBarred: () => undefined,
    limits: { ...defaultLimits, ...limits },
    newCall: (of, signal, whyNoControl) => {
      return { caller: of, signal, whyNoControl, budget: null, requestId: 'ws', modifiers: NO_MODIFIERS }
    },
  })

type Attend = (...of: [never, never, never]) => void

/** A WebSocket that is open. */
export async function connectedTo(attend: Attend): Promise<WebSocket> {
  const server = createServer()
  // The cast: Node says less of the arguments than the handlers want.
  server.on('upgrade', attend as never)
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const ws = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  ws.on('error', () => undefined)
  await once(ws, 'open')
  return ws
}
