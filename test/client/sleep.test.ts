import { expect, test } from 'vitest'
import { sleep } from '../../client/sleep.ts'

test('behavior: who has left already does not wait', async () => {
  expect(await sleep(600_000, AbortSignal.abort())).toBeUndefined()
})

test('behavior: who leaves while waiting waits no longer', async () => {
  const end = new AbortController()
  const slept = sleep(600_000, end.signal)
  end.abort()
  expect(await slept).toBeUndefined()
})
