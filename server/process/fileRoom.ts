// How many more files this process may open. Node raises the limit by itself as far as it may.

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { hasCode } from './systemErrors.ts'

/** Whether so many more can be open at the same time. */
export function hasRoomForFiles(count: number): boolean {
  const opened: number[] = []
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'))
    return true
  } catch (error) {
    return !hasCode(error, 'EMFILE', 'ENFILE')
  } finally {
    for (const file of opened) closeSync(file)
  }
}
