// Files of the embedded database that two sides bring to the disk at once, on a disk that is slow or fails.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { beginProgress, syncShare, syncShareInThread } from '../../../server/store/pglite/syncTogether.ts'

const files = Array.from({ length: 300 }, (_, i) => i)

test('the process uses two of its four threads for files, so that others can be read and written meanwhile', async () => {
  const progress = beginProgress()
  const begun: number[] = []
  const ends: (() => void)[] = []
  const share = syncShare({ files, progress }, (file) => {
    begun.push(file)
    return new Promise((resolve) => ends.push(resolve))
  })
  await nextTurn()
  expect(begun).toEqual([0, 1])
  while (ends.length > 0) {
    ends.pop()?.()
    await nextTurn()
    expect(ends.length).toBeLessThanOrEqual(2)
  }
  await share
  expect(begun).toEqual(files)
})

test('a file that the process has begun is not synced by the thread, and a failure of either side reaches the database', async () => {
  const begun = beginProgress()
  await syncShare({ files, progress: begun }, async () => undefined)
  const byThread: number[] = []
  syncShareInThread(files, begun, (file) => byThread.push(file))
  expect(byThread).toEqual([])

  const failed = beginProgress()
  const all: number[] = []
  await syncShare({ files, progress: failed }, async (file) => {
    all.push(file)
    if (file === 7) throw new Error('no such disk')
  })
  expect(all).toEqual(files)
  expect(() => syncShareInThread(files, failed, () => undefined)).toThrow('could not be written')

  const ofThread = beginProgress()
  await syncShare({ files: [], progress: ofThread }, async () => undefined)
  const fails = () => {
    throw new Error('no such disk')
  }
  expect(() => syncShareInThread(files, ofThread, fails)).toThrow('could not be written')
})
