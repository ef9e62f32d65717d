// Clients of streams for tests, and a wallet that sends what they are to hear of.

import { Address, beginCell, type Cell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createClient } from '../../client/index.ts'
import { ask, post } from './calls.ts'
import type { TestService } from './service.ts'

export type Frame = Readonly<Record<string, unknown>>

const PATIENCE_MS = 300_000
/** Messages are good for so long, also for a service whose clock is ahead. */
const LIFETIME_S = 7 * 24 * 3600

export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string | (() => string) = 'nothing came',
): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(typeof what === 'string' ? what : what())
}

/** Frames that came, in order. */
export class Frames {
  readonly all: Frame[] = []
  ended = false

  /** The first frame that fits, when it is there. After the end none is waited for: the wait would outlive its test. */
  first(fits: (frame: Frame) => boolean): Promise<Frame> {
    const missing = () => `not among ${this.all.length} frames: ${JSON.stringify(this.all.slice(-3)).slice(0, 2000)}`
    return eventually(() => {
      const found = this.all.find(fits)
      if (found === undefined && this.ended) throw new Error(missing())
      return found
    }, missing)
  }

  count(most: number): Promise<readonly Frame[]> {
    const missing = () => `only ${JSON.stringify(this.all.map(shortOf))}`
    return eventually(() => {
      if (this.all.length < most && this.ended) throw new Error(missing())
      return this.all.length >= most ? this.all : undefined
    }, missing)
  }

  end(): Promise<true> {
    return eventually(() => this.ended || undefined, 'the stream goes on')
  }
}

/** A free key that the service knows. */
export async function knownKey(
  service: TestService,
  allAccounts = false,
): Promise<{ readonly key: string; readonly id: string }> {
  const made = await service.newKey({ plan: 'free', allAccounts })
  const headers = { 'X-API-Key': made.key }
  await eventually(async () => (await fetch(`${service.url}/api/keys/me`, { headers })).status === 200 || undefined)
  return made
}

/** What a frame is, for a list: `transactions pending`. */
export const shortOf = ({ type, finality, status, error }: Frame): string =>
  type === undefined ? String(status ?? error) : [type, finality].filter((part) => part !== undefined).join(' ')

/** A stream over a WebSocket. */
export async function openSocket(service: Pick<TestService, 'url'>, path = '/api/streaming/v2/ws', options = {}) {
  const socket = new WebSocket(service.url.replace(/^http/, 'ws') + path, options)
  const frames = new Frames()
  const closed = { code: 0, reason: '' }
  socket.on('message', (data) => frames.all.push(JSON.parse(String(data))))
  socket.on('close', (code, reason) => {
    Object.assign(closed, { code, reason: String(reason) })
    frames.ended = true
  })
  socket.on('error', () => undefined)
  onTestFinished(() => socket.terminate())
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  let count = 0
  return {
    socket,
    frames,
    closed,
    send: (text: string | Buffer) => socket.send(text),
    /** Sends an operation and waits for its reply. */
    async say(operation: string, fields: Frame = {}): Promise<Frame> {
      const id = `own-${count++}`
      socket.send(JSON.stringify({ operation, id, ...fields }))
      return await frames.first((frame) => frame.id === id)
    },
    /** Notifications only. */
    notices: () => frames.all.filter(({ type }) => type !== undefined),
  }
}

/** A stream of server-sent events. */
export async function openEvents(
  service: Pick<TestService, 'url'>,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const path = '/api/streaming/v2/sse'
  const reply = await fetch(service.url + path, { method: 'POST', body: text, headers, signal: abort.signal })
  const frames = new Frames()
  const raw = { text: '' }
  if (reply.status === 200 && reply.body !== null) void read(reply.body, frames, raw).catch(() => undefined)
  return {
    reply,
    frames,
    raw,
    notices: () => frames.all.filter(({ type }) => type !== undefined),
    cut: () => abort.abort(),
  }
}

async function read(body: ReadableStream<Uint8Array>, frames: Frames, raw: { text: string }): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const chunk of body) {
      const text = decoder.decode(chunk, { stream: true })
      raw.text += text
      rest += text
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1]
        if (data !== undefined) frames.all.push(JSON.parse(data))
        rest = rest.slice(end + 2)
      }
    }
  } finally {
    frames.ended = true
  }
}

/** A wallet of the embedded chain that sends one message after the other. */
export async function openWallet(service: Pick<TestService, 'url'>, kind = 'v4r2') {
  const client = createClient({ url: service.url, retry: false, timeoutMs: PATIENCE_MS })
  const { accounts } = await client.dev.state()
  const mnemonic = accounts.find((one) => one.kind === kind)?.mnemonic ?? ''
  const keys = await mnemonicToPrivateKey(mnemonic.split(' '))
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  let seqno = 0
  await eventually(async () => {
    const { last } = (await ask(service, '/api/v3/masterchainInfo')).body
    return last === undefined ? undefined : true
  })

  const bocOf = (at: number, to: string, { comment, bounce }: { comment: string | Cell; bounce: boolean }): string => {
    const order = internal({ to: Address.parse(to), value: toNano('1'), bounce, body: comment })
    const sendMode = SendMode.PAY_GAS_SEPARATELY
    const timeout = Math.floor(Date.now() / 1000) + LIFETIME_S
    const request = { seqno: at, secretKey: keys.secretKey, sendMode, messages: [order], timeout }
    const body = wallet.createTransfer(request)
    const message = external({ to: wallet.address, body })
    return beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
  }

  return {
    client,
    raw: wallet.address.toRawString().toUpperCase(),
    friendly: wallet.address.toString(),
    /** A message that sends one TON, for a program that sends it by itself. */
    sign: (to: string): string => bocOf(seqno++, to, { comment: 'soon', bounce: false }),
    /** Sends one TON, with a comment or a body; returns the normalised hash of the message. */
    async send(
      to: string,
      options: { comment?: string | Cell; again?: boolean; bounce?: boolean } = {},
    ): Promise<string> {
      const { comment = 'soon', again = false, bounce = false } = options
      const boc = bocOf(again ? seqno - 1 : seqno++, to, { comment, bounce })
      const sent = (await post(service, '/api/v3/message', { boc })).body
      if (sent.message_hash_norm === undefined) throw new Error(JSON.stringify(sent))
      return String(sent.message_hash_norm)
    },
    mine: (blocks = 1) => client.dev.mine({ blocks }),
  }
}
