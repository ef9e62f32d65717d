// Laws of subscriptions to the same events: a narrower one receives what it names of what a wider one receives, on each transport, in
// the same order and with the same cursors.

import { expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { type Frame, openEvents, openSocket, openWallet } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual', limits: 'off' } }))

const TYPES = ['transactions', 'actions', 'account_state_change', 'blocks', 'heads']
const LEVELS = ['pending', 'confirmed', 'finalized']
const RECEIVERS = [`0:${'A1'.repeat(32)}`, `-1:${'C3'.repeat(32)}`, `0:${'B2'.repeat(32)}`]

const levelOf = ({ finality }: Frame): number => LEVELS.indexOf(String(finality))
const seqnoIn = ({ head }: Frame): unknown => (head as Frame | undefined)?.seqno
const without = ({ address_book: _, metadata: __, ...frame }: Frame): Frame => frame
const listIn = (frame: Frame, name: string) => frame[name] as readonly Frame[]

interface Narrower {
  readonly wish: Frame
  /** What it receives of one notification; null for nothing. */
  readonly part: (frame: Frame) => Frame | null
}

const ofTypeAndLevel: readonly Narrower[] = TYPES.flatMap((type) =>
  LEVELS.map((level, least) => ({
    wish: { types: [type, 'heads'], min_finality: level },
    part: (frame) => (['heads', type].includes(String(frame.type)) && levelOf(frame) >= least ? frame : null),
  })),
)

const others = (raw: string): readonly Narrower[] => [
  { wish: { include_address_book: false, include_metadata: false }, part: without },
  {
    wish: { addresses: [RECEIVERS[0]], include_address_book: false, include_metadata: false },
    part: (frame) => ofAccount(without(frame), RECEIVERS[0] ?? ''),
  },
  {
    wish: { addresses: [raw], include_address_book: false, include_metadata: false },
    part: (frame) => ofAccount(without(frame), raw),
  },
  {
    wish: { action_types: ['contract_deploy'], include_address_book: false, include_metadata: false },
    part: (frame) => ofKind(without(frame), 'contract_deploy'),
  },
]

function ofAccount(frame: Frame, raw: string): Frame | null {
  if (frame.type === 'account_state_change') return frame.account === raw ? frame : null
  if (frame.type === 'transactions') return few(frame, 'transactions', ({ account }) => account === raw)
  if (frame.type !== 'actions') return frame
  return few(frame, 'actions', ({ accounts }) => (accounts as readonly string[]).includes(raw))
}

const ofKind = (frame: Frame, kind: string): Frame | null =>
  frame.type === 'actions' ? few(frame, 'actions', ({ type }) => type === kind) : frame

function few(frame: Frame, name: string, isWanted: (row: Frame) => boolean): Frame | null {
  const left = listIn(frame, name).filter(isWanted)
  return left.length === 0 ? null : { ...frame, [name]: left }
}

test('a narrower subscription receives its part of a wider one, over a socket and as events', async () => {
  const { client, raw, send, mine } = await openWallet(service())
  const addresses = [raw, ...RECEIVERS]
  const books = { include_address_book: true, include_metadata: true }
  const all = { types: TYPES, addresses, min_finality: 'pending', ...books }
  const wide = await openSocket(service())
  await wide.say('subscribe', all)
  const narrower = [{ wish: {}, part: (frame: Frame) => frame }, ...ofTypeAndLevel, ...others(raw)]
  const heard = await Promise.all(
    narrower.map(async ({ wish, part }) => {
      const socket = await openSocket(service())
      expect(await socket.say('subscribe', { ...all, ...wish })).toMatchObject({ status: 'subscribed' })
      const events = await openEvents(service(), { ...all, ...wish })
      await events.frames.count(1)
      return { wish, part, readers: [socket, events] }
    }),
  )

  let last = 0
  for (const receiver of RECEIVERS) {
    const hash = await send(receiver)
    const isPredicted = ({ type, trace_external_hash_norm }: Frame) =>
      type === 'actions' && trace_external_hash_norm === hash
    await wide.frames.first(isPredicted)
    for (let blocks = 0; blocks < 3; blocks++) {
      const { seqno } = await mine()
      await untilIndexed(client, seqno)
      await wide.frames.first((frame) => seqnoIn(frame) === seqno)
      last = seqno
    }
  }

  const notices = wide.notices()
  for (const type of TYPES) expect(notices.map((frame) => frame.type)).toContain(type)
  expect(new Set(notices.map(levelOf))).toEqual(new Set([0, 1, 2]))
  for (const { wish, part, readers } of heard) {
    const wanted = notices.flatMap((frame) => part(frame) ?? [])
    for (const reader of readers) {
      await reader.frames.first((frame) => seqnoIn(frame) === last)
      expect([wish, reader.notices()]).toEqual([wish, wanted])
    }
  }
})
