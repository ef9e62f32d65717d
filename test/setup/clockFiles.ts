// Tests that replace the timers of their process. Files share processes, and with them databases that wait for their next
// test: such a clock, set an hour ahead, ended the statement one of them was at, and some later test failed instead.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)

/** A replaced `Date` moves no timer. */
const REPLACED = /vi\.useFakeTimers\((?!\{ toFake: \['Date'\])/

const replacesTimers = (file: string): boolean => REPLACED.test(readFileSync(join(root, file), 'utf8'))

/** By their paths in the folder of the tests. Each has a process of its own. */
export const clockFiles: readonly string[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .filter(replacesTimers)
