// What leaves a file or a room is imported somewhere: dead code would hide behind an `export`.

import { expect, test } from 'vitest'
import { root } from './setup/runningService.ts'
import { readSources, sourceOf } from './setup/sources.ts'
import { unusedExports } from './setup/unusedExports.ts'

/** The doors of the published packages. */
const ENTRIES = ['client/index.ts', 'client/ws.ts', 'client/ton/index.ts']

test('every exported value, and every name of a door, is imported by another file', () => {
  const sources = readSources(root, 'server', 'client', 'shared')
  expect(sources.length).toBeGreaterThan(60)
  expect(unusedExports(sources, [...sources, ...readSources(root, 'test')], ENTRIES)).toEqual([])
})

test('what is found: values and names of doors that no importer reaches', () => {
  const file = sourceOf('a/b.ts', 'export const one = 1\nexport function two() {}\nexport interface Beside {}\n')
  const door = sourceOf('a/index.ts', "export { one, type Beside, two as second } from './b.ts'\n")
  const star = sourceOf('index.ts', "export * from './a/index.ts'\n")
  const found = (text: string) => unusedExports([file, door, star], [sourceOf('c.ts', text)], [])
  expect(found('')).toEqual(['a/b.ts one', 'a/b.ts two', 'a/index.ts one', 'a/index.ts Beside', 'a/index.ts second'])
  expect(found("import { one, type Beside } from './index.ts'")).toEqual(['a/b.ts two', 'a/index.ts second'])
  expect(found("import {\n  second,\n  one as first,\n} from './a/index.ts'")).toEqual(['a/index.ts Beside'])
  expect(found("const all = await import('./a/index.ts')")).toEqual([])
  const unpacked = sourceOf('d.ts', 'export const { x, y: z } = all\n')
  expect(unusedExports([unpacked], [sourceOf('c.ts', "import { x } from './d.ts'")], [])).toEqual(['d.ts z'])
})
