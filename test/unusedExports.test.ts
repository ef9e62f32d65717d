// What the rule "no unused export" finds; the rule itself is with the others in `rooms.test.ts`.

import { expect, test } from 'vitest'
import { sourceOf } from './setup/sources.ts'
import { unusedExports } from './setup/unusedExports.ts'

test('values and names of doors that no importer reaches', () => {
  const file = sourceOf('a/b.ts', 'export const one = 1\nexport function two() {}\nexport interface Kind {}\n')
  const door = sourceOf('a/index.ts', "export { one, type Kind, two as second } from './b.ts'\n")
  const star = sourceOf('index.ts', "export * from './a/index.ts'\n")
  const found = (text: string) => unusedExports([file, door, star], [sourceOf('c.ts', text)], [])
  expect(found('')).toEqual(['a/b.ts one', 'a/b.ts two', 'a/index.ts one', 'a/index.ts Kind', 'a/index.ts second'])
  expect(found("import { one, type Kind } from './index.ts'")).toEqual(['a/b.ts two', 'a/index.ts second'])
  expect(found("import {\n  second,\n  one as first,\n} from './a/index.ts'")).toEqual(['a/index.ts Kind'])
  expect(found("const all = await import('./a/index.ts')")).toEqual([])
  const unpacked = sourceOf('d.ts', 'export const { x, y: z } = all\n')
  expect(unusedExports([unpacked], [sourceOf('c.ts', "import { x } from './d.ts'")], [])).toEqual(['d.ts z'])
})
