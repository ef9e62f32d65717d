// Workers that answer no more, as the owner finds them: by checks, whose number alone counts.

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checkAll, leastBusy, type Member } from '../../../server/workers/member.ts'
import { ChannelClosed } from '../../../server/workers/workerChannel.ts'

const COUNTS = { methods: [], gauges: [], totals: [], rssBytes: 1, cpuSeconds: 1 }

/** One with so many connections, which answers checks while `answers`. */
function someMember(number: number, connections: number) {
  const state = { answers: true, asked: 0, ended: '' }
  const member: Member = {
    number,
    child: {
      get killed() {
        return state.ended !== ''
      },
      kill(signal) {
        state.ended = String(signal)
        return true
      },
    },
    channel: {
      ask() {
        state.asked++
        return state.answers ? (Promise.resolve(COUNTS) as Promise<never>) : new Promise<never>(() => undefined)
      },
    },
    seats: { size: connections },
    isReady: true,
    missed: 0,
    counts: null,
  }
  return { member, state }
}

async function checked(members: readonly Member[], times: number): Promise<readonly string[]> {
  const lines: string[] = []
  for (let i = 0; i < times; i++) {
    checkAll(members, { error: (_facts: unknown, line?: string) => void lines.push(line ?? '') })
    await setImmediate()
  }
  return lines
}

test('one that answers every check goes on, whatever the time between two of them', async () => {
  const { member, state } = someMember(1, 0)
  expect(await checked([member], 100)).toEqual([])
  expect([state.ended, state.asked, member.counts]).toEqual(['', 100, COUNTS])
})

test('one that does not answer gets no new connections, is asked once, and is ended after many checks', async () => {
  const quiet = someMember(1, 0)
  const other = someMember(2, 5)
  const members = [quiet.member, other.member]
  quiet.state.answers = false
  expect(leastBusy(members)?.number).toBe(1)
  await checked(members, 1)
  // It may be about to answer.
  expect(leastBusy(members)?.number).toBe(1)
  await checked(members, 1)
  expect(leastBusy(members)?.number).toBe(2)
  expect(await checked(members, 13)).toEqual([])
  expect(quiet.state).toEqual({ answers: false, asked: 1, ended: '' })
  // Said once, also where its end takes some time.
  expect(await checked(members, 3)).toEqual(['worker process stuck: it is ended'])
  expect([quiet.state.ended, other.state.ended]).toEqual(['SIGKILL', ''])
})

test('one that answers a check with an error has answered; one whose channel is closed has not', async () => {
  const failing = someMember(1, 0)
  const closed = someMember(2, 0)
  let asked = 0
  const rejecting = ({ member }: typeof failing, error: Error): Member => ({
    ...member,
    channel: {
      ask() {
        asked++
        return Promise.reject(error)
      },
    },
  })
  expect(await checked([rejecting(failing, new Error('no memory is left'))], 100)).toEqual([])
  expect([failing.state.ended, asked]).toEqual(['', 100])
  expect(await checked([rejecting(closed, new ChannelClosed())], 16)).toEqual(['worker process stuck: it is ended'])
  expect([closed.state.ended, asked]).toEqual(['SIGKILL', 101])
})

test('without one that answers no connection is handed over; one that answers again gets them again', async () => {
  let answer: () => void = () => undefined
  const { member } = someMember(1, 0)
  const late = new Promise<never>((resolve) => {
    answer = () => resolve(COUNTS as never)
  })
  const slow: Member = { ...member, channel: { ask: () => late } }
  await checked([slow], 3)
  expect(leastBusy([slow])).toBeNull()
  answer()
  await setImmediate()
  expect(leastBusy([slow])).toBe(slow)
})

test('one that does not become ready is ended after many more checks, which it is not asked; one that does begins anew', async () => {
  const hanging = someMember(1, 0)
  const slow = someMember(2, 0)
  hanging.member.isReady = slow.member.isReady = false
  expect(await checked([hanging.member, slow.member], 60)).toEqual([])
  slow.member.isReady = true
  slow.member.missed = 0
  const line = 'worker process is not ready after all this time: it is ended'
  expect(await checked([hanging.member, slow.member], 1)).toEqual([line])
  expect([hanging.state, slow.state]).toEqual([
    { answers: true, asked: 0, ended: 'SIGKILL' },
    { answers: true, asked: 1, ended: '' },
  ])
})
