// A reader that comes back: what it missed is sent from the index, and nothing twice, wherever it was cut off.

import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { gaugeOf } from '../../setup/gauge.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openEvents, openSocket, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
let opened: ReturnType<typeof openWallet> | null = null
const wallet = () => {
  opened ??= openWallet(service())
  return opened
}

const withoutCursor = ({ cursor: _, ...frame }: Frame) => JSON.stringify(frame)
const wish = async () => ({
  types: ['transactions', 'actions', 'account_state_change', 'blocks'],
  addresses: [(await wallet()).raw, RECEIVER],
})

async function work(blocks: number): Promise<void> {
  const { send, mine } = await wallet()
  for (let i = 0; i < blocks; i++) {
    if (i % 3 !== 2) await send(RECEIVER, { comment: `number ${i}` })
    await mine()
  }
}

/** Waits until a stream has all blocks of the chain. */
async function caughtUp(stream: { notices(): readonly Frame[] }): Promise<readonly Frame[]> {
  const { last } = await (await wallet()).client.getMasterchainInfo()
  // The shard's block is the last of each step.
  const isLast = ({ block }: Frame) => {
    const { workchain, masterchain_block_ref } = (block ?? {}) as Frame
    return workchain === 0 && (masterchain_block_ref as Frame).seqno === last.seqno
  }
  await eventually(() => stream.notices().some(isLast) || undefined)
  return stream.notices()
}

test('cut off after any notification, it hears the rest once and in order', async () => {
  const whole = await openSocket(service())
  await whole.say('subscribe', await wish())
  await work(8)
  const heard = await caughtUp(whole)
  const all = heard.map(withoutCursor)
  expect(new Set(all).size).toBe(all.length)
  for (const [i, { cursor }] of heard.entries()) {
    const back = await openEvents(service(), await wish(), { 'Last-Event-ID': String(cursor) })
    await eventually(() => back.notices().length >= all.length - i - 1 || undefined, `stuck after ${i}`)
    expect(back.notices().map(withoutCursor)).toEqual(all.slice(i + 1))
    expect(back.notices().map((frame) => frame.cursor)).toEqual(heard.slice(i + 1).map((frame) => frame.cursor))
    back.cut()
  }
})

test('a reader that has heard nothing may say so with an empty header', async () => {
  const first = await openEvents(service(), { types: ['blocks'] }, { 'Last-Event-ID': '' })
  expect(first.reply.status).toBe(200)
  first.cut()
})

test('while blocks are made, and over a WebSocket that is cut again and again', async () => {
  const whole = await openSocket(service())
  await whole.say('subscribe', await wish())
  const pieces: Frame[] = []
  let isOver = false
  let isListening = false
  const cutting = (async () => {
    let after = 'now'
    while (!isOver || pieces.length < whole.notices().length) {
      const stream = await openSocket(service())
      const before = pieces.length
      await stream.say('subscribe', { ...(await wish()), after })
      isListening = true
      await eventually(
        () =>
          stream.notices().length >= 3 ||
          (isOver && before + stream.notices().length >= whole.notices().length) ||
          undefined,
      )
      stream.socket.terminate()
      pieces.push(...stream.notices())
      after = String(pieces.at(-1)?.cursor)
    }
  })()
  await eventually(() => isListening || undefined)
  await work(13)
  await caughtUp(whole)
  isOver = true
  await cutting
  const first = whole.notices().findIndex(({ cursor }) => cursor === pieces[0]?.cursor)
  expect(pieces.map(withoutCursor)).toEqual(whole.notices().slice(first).map(withoutCursor))
  // The same as v3 has of them.
  const { body } = await ask(service(), `/api/v3/transactions?account=${RECEIVER}&limit=100&sort=desc`)
  const known = new Set((body.transactions as Frame[]).map(({ hash }) => hash))
  const published = pieces
    .flatMap(({ transactions }) => (transactions as Frame[] | undefined) ?? [])
    .filter(({ account }) => account === RECEIVER)
  expect(published.length).toBeGreaterThan(3)
  for (const { hash } of published) expect(known.has(hash)).toBe(true)
})

test('a reader that does not read is closed while another hears all, and resumes', async () => {
  const { raw, send, mine } = await wallet()
  const order = { types: ['transactions', 'blocks'], addresses: [raw, RECEIVER] }
  const well = await openSocket(service())
  await well.say('subscribe', order)
  const slow = await openSocket(service())
  await slow.say('subscribe', order)
  slow.socket.pause()
  const closedReaders = () => gaugeOf(service(), 'tonrpc_stream_slow_readers_total')
  // Large frames: what the sockets themselves hold back is some megabytes.
  for (let sent = 0; sent < 200 && (await closedReaders()) === 0; sent++) {
    await send(RECEIVER, { comment: 'large'.repeat(6000) })
    await mine()
  }
  expect(await closedReaders()).toBe(1)
  slow.socket.resume()
  await slow.frames.end()
  const { cursor } = slow.notices().at(-1) ?? {}
  const whole = await caughtUp(well)
  const back = await openSocket(service())
  await back.say('subscribe', { ...order, ...(cursor === undefined ? {} : { after: cursor }) })
  const rest = await caughtUp(back)
  expect(rest.length).toBeGreaterThan(0)
  expect([...slow.notices(), ...rest].map(withoutCursor)).toEqual(whole.map(withoutCursor))
})
