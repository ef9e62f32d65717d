import { expect, onTestFinished, test, vi } from 'vitest'
import { openRequestLog } from '../../../server/observe/requestLog.ts'

const RECORD = {
  requestId: 'a',
  keyId: null,
  address: null,
  verb: 'GET',
  path: '/',
  methods: new Map<string, number>(),
  error: null,
  status: 200,
  ms: 1,
  bytes: 1,
}

test('requests that are logged to a reader that has stopped reading do not fill the memory', async () => {
  const told: unknown[] = []
  const tell = (words: unknown) => void told.push(words)
  const requests = await openRequestLog({ to: 'stdout', sample: 1, log: { info: tell, warn: tell } })
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(false)
  const waiting = vi.spyOn(process.stdout, 'writableLength', 'get').mockReturnValue(0)
  onTestFinished(() => {
    write.mockRestore()
    waiting.mockRestore()
  })
  requests.write(RECORD)
  waiting.mockReturnValue(16 << 20)
  requests.write(RECORD)
  requests.write(RECORD)
  expect(write).toHaveBeenCalledTimes(1)
  waiting.mockReturnValue(0)
  requests.write(RECORD)
  expect(write).toHaveBeenCalledTimes(2)
  expect(told).toEqual([
    { to: 'stdout', reason: 'its reader is too slow' },
    { to: 'stdout', lost: 2 },
  ])
})
