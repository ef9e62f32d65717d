// Requests at a fixed rate over connections that are kept: what is late is sent as soon as a connection is free, so that the rate
// reached shows how much less than the wanted one was possible.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

interface Read {
  readonly path: string
  /** Throws or returns false for a wrong answer. */
  readonly isRight: (body: string) => boolean
}

interface Paced {
  readonly url: string
  /** Requests per second. */
  readonly rate: number
  readonly connections: number
  readonly ms: number
  readonly next: () => Read
}

export interface Outcome {
  readonly answered: number
  /** Without an answer of status 200. */
  readonly failed: number
  readonly wrong: number
  readonly samples: readonly string[]
  readonly seconds: number
  /** Time of an answer: of half of them at most, of 99 of a hundred at most. */
  readonly ms: { readonly half: number; readonly most: number }
}

const read = (agent: Agent, url: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const req = request(url, { agent }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
      res.on('error', reject)
    })
    req.on('error', reject)
    req.end()
  })

export async function pacedLoad({ url, rate, connections, ms, next }: Paced): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const counts = { answered: 0, failed: 0, wrong: 0 }
  const samples: string[] = []
  const times: number[] = []
  const began = performance.now()
  let due = 0
  const note = (kind: 'failed' | 'wrong', text: string) => {
    counts[kind]++
    if (samples.length < 5) samples.push(`${kind}: ${text.slice(0, 200)}`)
  }
  const caller = async () => {
    for (;;) {
      const at = (due++ * 1000) / rate
      if (at >= ms || performance.now() - began >= ms) return
      const early = at - (performance.now() - began)
      if (early > 0) await sleep(early)
      const { path, isRight } = next()
      const sentAt = performance.now()
      try {
        const { status, body } = await read(agent, url + path)
        times.push(performance.now() - sentAt)
        counts.answered++
        if (status !== 200) note('failed', `${path} ${status} ${body}`)
        else if (!isRight(body)) note('wrong', `${path} ${body}`)
      } catch (error) {
        note('failed', `${path} ${error}`)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  agent.destroy()
  times.sort((a, b) => a - b)
  const within = (part: number): number => times[Math.floor(times.length * part)] ?? 0
  return {
    ...counts,
    samples,
    seconds: (performance.now() - began) / 1000,
    ms: { half: within(0.5), most: within(0.99) },
  }
}
