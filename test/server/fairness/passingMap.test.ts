// Entries that come and go, and what their map keeps of them.

import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { PassingMap } from '../../../server/fairness/index.ts'

test('it holds the last value of each key until that is deleted', () => {
  const map = new PassingMap<string, { readonly number: number }>()
  map.set('a', { number: 1 })
  map.set('a', { number: 2 })
  map.set('b', { number: 3 })
  expect(map.size).toBe(2)
  expect(map.get('a')).toEqual({ number: 2 })
  expect(map.delete('a')).toBe(true)
  expect(map.delete('a')).toBe(false)
  expect(map.get('a')).toBe(undefined)
  expect(map.clear()).toEqual([{ number: 3 }])
  expect([map.size, map.get('b')]).toEqual([0, undefined])
})

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
const room = pathToFileURL(join(root, '.build/server/fairness/index.js')).href
/** V8 must not guess what lives long: it would then put that into the old heap at once. */
const FLAGS = ['--expose-gc', '--no-allocation-site-pretenuring', '--single-threaded-gc', '--input-type=module']

test('what has gone does not wait for a search of the whole heap', () => {
  // The table that outlives a search of the whole heap would keep all later ones until the next.
  const code = `
    import { PassingMap } from '${room}'
    const map = new PassingMap()
    const pass = (from, to) => {
      for (let number = from; number < to; number++) {
        map.set(number, { list: new Array(500).fill(number) })
        map.delete(number - 16)
      }
    }
    pass(0, 100)
    gc()
    const before = process.memoryUsage().heapUsed
    pass(100, 20_000)
    gc({ type: 'minor' })
    gc({ type: 'minor' })
    console.log(process.memoryUsage().heapUsed - before, map.size)`
  const [kept, size] = execFileSync(process.execPath, [...FLAGS, '-e', code], { encoding: 'utf8' })
    .split(' ')
    .map(Number)
  // Of 80 MB a plain map keeps 67.
  expect(kept).toBeLessThan(12_000_000)
  expect(size).toBe(16)
})
