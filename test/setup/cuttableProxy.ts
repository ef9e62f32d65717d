// A proxy that can be slow, hang, be cut, and lead to another port.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Passing {
  readonly delayMs: () => number
  readonly end: () => void
  readonly watch?: (chunk: Buffer) => void
}

/** Passes on what comes from one socket, and its end, in order: what was delayed is not overtaken when the delay ends. */
function passOn([from, to]: readonly [Socket, Socket], { delayMs, end, watch }: Passing): void {
  let last: Promise<unknown> = Promise.resolve()
  let delayed = 0
  const inOrder = (step: () => void): void => {
    const ms = delayMs()
    if (ms === 0 && delayed === 0) {
      step()
      return
    }
    delayed++
    const due = sleep(ms)
    last = last
      .then(() => due)
      .then(() => {
        delayed--
        step()
      })
  }
  from.on('data', (chunk: Buffer) => {
    watch?.(chunk)
    inOrder(() => void to.write(chunk))
  })
  from.on('close', () => inOrder(end))
}

/** Passes bytes on to a port, until it is closed or cut. */
export async function cuttableProxy(target: number, host = '127.0.0.1') {
  const state = { target, mode: 'open' as 'open' | 'cut' | 'hanging', delayMs: 0 }
  const pairs = new Set<readonly [Socket, Socket]>()
  let onAnswer: (chunk: Buffer) => void = () => undefined
  const server = createServer((client) => {
    if (state.mode === 'cut') return void client.destroy()
    const upstream = connect(state.target, host)
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) socket.on('error', end)
    passOn(pair, { delayMs: () => state.delayMs, end })
    passOn([upstream, client], { delayMs: () => state.delayMs, end, watch: (chunk) => onAnswer(chunk) })
    if (state.mode === 'hanging') for (const socket of pair) socket.pause()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = () => {
    for (const pair of [...pairs]) for (const socket of pair) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    /** Called with what comes from the target. */
    watch(listener: (chunk: Buffer) => void) {
      onAnswer = listener
    },
    /** Ends all connections and refuses new ones. */
    cut() {
      state.mode = 'cut'
      destroyAll()
    },
    /** Keeps all connections, without a byte over them: a network that was pulled out. */
    hang() {
      state.mode = 'hanging'
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    slow(ms: number) {
      state.delayMs = ms
    },
    /** Leads new connections to another port, and leaves the others as they are. */
    move(to: number) {
      state.target = to
    },
    /** Connections that hung are lost, as after the timeout of a network. */
    heal(to = state.target) {
      if (state.mode === 'hanging' || to !== state.target) destroyAll()
      Object.assign(state, { mode: 'open', target: to, delayMs: 0 })
    },
    close() {
      destroyAll()
      server.close()
    },
  }
}
