// A load generator lean enough not to be what is measured: raw sockets, one request at a time on each, replies cut by
// their Content-Length.

import { connect } from 'node:net'

export interface Load {
  readonly port: number
  /** One whole HTTP request. */
  readonly request: string
  readonly connections: number
  readonly ms: number
}

const lengthHeader = Buffer.from('content-length: ')

/** Whole size of the reply that starts `bytes`, or 0 when its head is not complete yet. */
function replySize(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return 0
  const head = bytes.subarray(0, end).toString('latin1').toLowerCase()
  const at = head.indexOf(lengthHeader.toString())
  return end + 4 + (at < 0 ? 0 : Number.parseInt(head.slice(at + lengthHeader.length), 10))
}

/** Requests answered per second. Rejects when a reply is not 200. */
export function load({ port, request, connections, ms }: Load): Promise<number> {
  const bytes = Buffer.from(request)
  return new Promise((resolve, reject) => {
    let answered = 0
    let open = connections
    const start = performance.now()
    const drive = () => {
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let have = 0
      let need = 0
      let parts: Buffer[] = []
      socket.on('connect', () => socket.write(bytes))
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        have += chunk.length
        if (need === 0) {
          parts.push(chunk)
          const whole = parts.length === 1 ? chunk : Buffer.concat(parts)
          need = replySize(whole)
          if (need > 0 && whole.toString('latin1', 9, 12) !== '200') reject(new Error(whole.toString('utf8', 0, 400)))
        }
        if (need === 0 || have < need) return
        have = 0
        need = 0
        parts = []
        answered++
        if (performance.now() - start < ms) socket.write(bytes)
        else socket.destroy()
      })
      socket.on('close', () => {
        if (--open === 0) resolve((answered * 1000) / (performance.now() - start))
      })
    }
    for (let i = 0; i < connections; i++) drive()
    // Never asleep: waking a process is charged to whoever writes to it, and only the slower server would be charged.
    const stayAwake = () => {
      if (open > 0) setImmediate(stayAwake)
    }
    stayAwake()
  })
}
