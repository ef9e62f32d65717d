// How many more files this process may open. Node raises the limit by itself as far as it may.

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { hasCode } from './systemErrors.ts'

/** How many more can be open at the same time, at most `most`. */
export function roomForFiles(most: number): number {
  const opened: number[] = []
  try {
    while (opened.length < most) opened.push(openSync(devNull, 'r'))
    return most
  } catch (error) {
    return hasCode(error, 'EMFILE', 'ENFILE') ? opened.length : most
  } finally {
    for (const file of opened) closeSync(file)
  }
}
