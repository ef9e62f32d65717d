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
