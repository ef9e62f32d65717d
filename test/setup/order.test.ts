// A test process ends where the next file is of another project; the next one has to load everything again.

import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { clockFiles } from './clockFiles.ts'
import { rankOf } from './order.ts'

function projectOf(file: string): string {
  if (clockFiles.includes(file)) return 'clock'
  return rankOf(file) > 0 ? 'late' : 'fast'
}

test('the files of each project stand together', () => {
  const files = readdirSync(dirname(import.meta.dirname), { recursive: true, encoding: 'utf8' })
  const sorted = files.filter((file) => file.endsWith('.test.ts')).sort((a, b) => rankOf(a) - rankOf(b))
  const projects = sorted.map(projectOf)
  expect(projects.filter((project, i) => project !== projects[i - 1])).toEqual(['fast', 'clock', 'late'])
})
