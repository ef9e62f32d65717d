// Time limits of many by one timer: each is late in its time, and only while it is there.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { Deadlines, type Timed } from '../../../../server/node/pool/deadlines.ts'
import type { Clock } from '../../../../server/node/systemClock.ts'
import { Random } from '../../../setup/random.ts'
import { VirtualClock } from './virtualClock.ts'

class Entry implements Timed<Entry> {
  due = 0
  isListed = false
  previous: Entry | null = null
  next: Entry | null = null
  readonly late: () => void

  constructor(late: () => void) {
    this.late = late
  }
}

let clock = new VirtualClock()
let timers = 0
/** That counts timers that are set and neither cancelled nor over. */
const counting = (): Clock => ({
  now: () => clock.now(),
  after(ms, run) {
    let isSet = true
    timers++
    const end = (): void => {
      if (isSet) timers--
      isSet = false
    }
    const cancel = clock.after(ms, () => {
      end()
      run()
    })
    return () => {
      end()
      cancel()
    }
  },
})

beforeEach(() => {
  clock = new VirtualClock()
  timers = 0
})
afterEach(() => clock.close())

test('behavior: of a thousand entries each is late when its limit is over, and those removed before never, by one timer', async () => {
  const random = new Random(11)
  const deadlines = new Deadlines<Entry>(counting())
  const wanted: [number, number][] = []
  const found: [number, number][] = []
  const entries = Array.from({ length: 1_000 }, (_, i) => {
    const ms = 1 + Math.floor(random.unit() * 5_000)
    const entry = new Entry(() => found.push([clock.now(), i]))
    deadlines.add(entry, clock.now(), ms)
    return { entry, ms, i }
  })
  expect(timers).toBe(1)
  for (const { entry, ms, i } of entries) {
    const chance = random.unit()
    if (chance < 0.3) deadlines.remove(entry)
    else if (chance < 0.5) {
      deadlines.renew(entry, clock.now(), ms + 2_500)
      wanted.push([ms + 2_500, i])
    } else wanted.push([ms, i])
  }
  expect(deadlines.all().length).toBe(wanted.length)
  await clock.sleep(10_000)
  expect(found).toEqual(wanted.toSorted(([a, i], [b, j]) => a - b || i - j))
  expect(deadlines.all()).toEqual([])
  expect(timers).toBe(0)
})

test('behavior: an entry that another late one removes is not late, and one that it adds is', async () => {
  const deadlines = new Deadlines<Entry>(counting())
  const late: string[] = []
  const second = new Entry(() => late.push('second'))
  const added = new Entry(() => late.push('added'))
  const first = new Entry(() => {
    late.push('first')
    deadlines.remove(second)
    deadlines.add(added, clock.now(), 5)
  })
  deadlines.add(first, clock.now(), 10)
  deadlines.add(second, clock.now(), 10)
  await clock.sleep(100)
  expect(late).toEqual(['first', 'added'])
})

test('behavior: a limit that ends while the process is busy is late a turn after the others, when arrived answers were read', () => {
  const timers = new Set<() => void>()
  let now = 0
  const deadlines = new Deadlines<Entry>({
    now: () => now,
    after(_, run) {
      timers.add(run)
      return () => timers.delete(run)
    },
  })
  const fire = (): void => {
    for (const run of [...timers]) {
      timers.delete(run)
      run()
    }
  }
  const late: string[] = []
  const [first, answered, silent] = ['first', 'answered', 'silent'].map((name) => new Entry(() => late.push(name)))
  if (!first || !answered || !silent) return
  deadlines.add(first, now, 10)
  deadlines.add(answered, now, 12)
  deadlines.add(silent, now, 14)
  now = 40
  fire()
  expect(late).toEqual(['first'])
  deadlines.remove(answered)
  fire()
  expect(late).toEqual(['first', 'silent'])
  expect(timers.size).toBe(0)
})

test('behavior: a limit of hours holds, and a list that is closed leaves no timer', async () => {
  const deadlines = new Deadlines<Entry>(counting())
  const late: number[] = []
  deadlines.add(new Entry(() => late.push(clock.now())), clock.now(), 7_200_000)
  await clock.sleep(7_199_999)
  expect(late).toEqual([])
  await clock.sleep(10)
  expect(late).toEqual([7_200_000])
  deadlines.add(new Entry(() => late.push(clock.now())), clock.now(), 1_000)
  deadlines.close()
  expect(timers).toBe(0)
  deadlines.add(new Entry(() => undefined), clock.now(), 1_000)
  expect(timers).toBe(0)
})
