import { expect, test } from 'vitest'
import { FairQueue } from '../../../server/fairness/index.ts'

function filled(order: string): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const [i, subject] of [...order].entries()) queue.add(subject, `${subject}${i}`)
  return queue
}

function drained(queue: FairQueue<string>): string[] {
  const taken: string[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item)
  return taken
}

test('default: callers in turn, the items of one in the order they came', () => {
  expect(drained(filled('aaaabbc'))).toEqual(['a0', 'b4', 'c6', 'a1', 'b5', 'a2', 'a3'])
})

test('behavior: who comes late waits for one item of each, whatever they have waiting', () => {
  const queue = filled('aaaaaaaabbbbbbbb')
  queue.take()
  queue.add('c', 'c')
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['b8', 'a1', 'c'])
})

test('behavior: a caller that may not run is passed over and keeps its turn', () => {
  const queue = filled('aab')
  expect(queue.take((subject) => subject !== 'a')).toBe('b2')
  expect(queue.take((subject) => subject !== 'a')).toBeUndefined()
  expect([queue.size, queue.take()]).toEqual([2, 'a0'])
})

test('behavior: what was taken out does not come, and the sizes are right', () => {
  const queue = filled('aab')
  expect([queue.delete('a', 'a0'), queue.delete('a', 'a0'), queue.delete('c', 'c')]).toEqual([true, false, false])
  expect([queue.size, queue.sizeOf('a'), queue.sizeOf('c')]).toEqual([2, 1, 0])
  expect(drained(queue)).toEqual(['a1', 'b2'])
  expect([queue.size, queue.sizeOf('a')]).toEqual([0, 0])
})

/** Takes all, each of which has used what `costOf` says. */
function charged(queue: FairQueue<string>, costOf: (item: string) => number): string {
  let order = ''
  for (let item = queue.take(); item !== undefined; item = queue.take()) {
    order += item[0]
    queue.charge(item[0] ?? '', { cost: costOf(item) })
  }
  return order
}

test('charge: callers have the same of what is used, not the same number of items', () => {
  expect(charged(filled('aaaaabbbbbbbbbb'), (item) => (item[0] === 'a' ? 3 : 1))).toBe('abbbabbbabbbaba')
})

test('charge: who was served while nobody else waited is not behind for ever, and who comes back has saved nothing', () => {
  const queue = new FairQueue<string>()
  queue.charge('a', { cost: 1000 })
  for (const [i, subject] of [...'aabb'].entries()) queue.add(subject, `${subject}${i}`)
  expect(charged(queue, () => 1)).toBe('abab')
})

test('charge: what a caller owes stays while others wait', () => {
  const queue = filled('abbb')
  queue.take()
  queue.charge('a', { cost: 2 })
  queue.add('a', 'a again')
  expect(charged(queue, () => 1)).toBe('bbab')
})

test('charge: once nothing waits all are even, whether the last was taken or taken out', () => {
  const taken = filled('aaab')
  charged(taken, (item) => (item[0] === 'b' ? 100 : 1))
  const takenOut = filled('ab')
  takenOut.charge('a', { cost: 100 })
  takenOut.delete('a', 'a0')
  takenOut.delete('b', 'b1')
  for (const queue of [taken, takenOut]) {
    for (const [i, subject] of [...'aabb'].entries()) queue.add(subject, `again ${i}`)
    expect(drained(queue)).toEqual(['again 0', 'again 2', 'again 1', 'again 3'])
  }
})

test('charge: who takes out all that waits and comes again still owes', () => {
  const queue = filled('aabbb')
  queue.take()
  queue.charge('a', { cost: 2 })
  queue.delete('a', 'a1')
  queue.add('a', 'a')
  expect(charged(queue, () => 1)).toBe('bbab')
})

test('kinds of one caller share what it has, by their weights, and cost other callers nothing', () => {
  const queue = new FairQueue<string>()
  for (let i = 0; i < 6; i++) queue.add('a', `long${i}`, 'long')
  for (let i = 0; i < 6; i++) queue.add('a', `short${i}`, 'short')
  for (let i = 0; i < 4; i++) queue.add('b', `b${i}`)
  const order: string[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) {
    order.push(item)
    const kind = item.replace(/\d/, '')
    if (kind === 'b') queue.charge('b', { cost: 1 })
    else queue.charge('a', { cost: 1, kind, weight: kind === 'short' ? 2 : 1 })
  }
  const ofA = order.filter((item) => !item.startsWith('b'))
  expect(ofA.slice(0, 6).filter((item) => item.startsWith('short'))).toHaveLength(4)
  expect(order.slice(0, 8).filter((item) => item.startsWith('b'))).toHaveLength(4)
})

test('kinds of one caller take turns, and what one of them owes stays when its items are taken out', () => {
  const queue = new FairQueue<string>()
  for (const item of ['x0', 'x1', 'x2', 'y0', 'y1']) queue.add('a', item, item[0])
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['x0', 'y0', 'x1'])
  queue.add('a', 'y2', 'y')
  queue.charge('a', { cost: 2, kind: 'x' })
  queue.delete('a', 'x2')
  queue.add('a', 'x3', 'x')
  expect(drained(queue)).toEqual(['y1', 'y2', 'x3'])
})

test.each(['callers', 'kinds'])(
  'of thousands of %s that came and went, those who used most are remembered',
  (level) => {
    const queue = new FairQueue<string>()
    const place = (name: string): readonly [subject: string, kind: string] =>
      level === 'callers' ? [name, ''] : ['all', name]
    const add = (name: string) => queue.add(place(name)[0], name, place(name)[1])
    const charge = (name: string, cost: number) => {
      const [subject, kind] = place(name)
      queue.charge(subject, { cost, kind })
    }
    // Never empty.
    add('waiting')
    charge('waiting', 2)
    charge('heavy', 100)
    for (let i = 0; i < 5_000; i++) charge(`stranger${i}`, 3)
    for (const name of ['heavy', 'stranger2500']) add(name)
    expect(drained(queue)).toEqual(['stranger2500', 'waiting', 'heavy'])
  },
)
