import { expect, onTestFinished, test, vi } from 'vitest'
import { liveHeapBytes } from '../../../server/process/index.ts'

test('the heap is measured without a file, as there may be none left to open', () => {
  onTestFinished(() => void vi.restoreAllMocks())
  // What Node does where the limit of open files is reached.
  vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
    throw Object.assign(new Error('EMFILE: too many open files, uv_resident_set_memory'), { code: 'EMFILE' })
  })
  expect(liveHeapBytes()).toBeGreaterThan(1_000_000)
})
