import { expect, test } from 'vitest'
import { Permission } from '../../../server/indexer/permission.ts'
import { LeanAbort } from '../../../server/process/index.ts'
import { StoreError } from '../../../server/store/index.ts'

const NEVER_MS = 3_600_000

test('reads wait for the start, and go on when it is done', async () => {
  const permission = new Permission(NEVER_MS)
  const reads = [permission.wait(), permission.wait(new AbortController().signal)]
  permission.grant({ isSure: false })
  await Promise.all(reads)
  await permission.wait()
})

test('a start that takes longer than reads wait for is reported, and the next reads wait again', async () => {
  const permission = new Permission(1)
  for (let i = 0; i < 2; i++)
    await expect(permission.wait()).rejects.toMatchObject({ code: 'unavailable', message: 'the index is being opened' })
  permission.grant({ isSure: false })
  await permission.wait()
})

test.each([
  ['of a call', () => new LeanAbort()],
  ['of Node', () => new AbortController()],
])('a caller that leaves, or has left, does not wait on: a signal %s', async (_, make) => {
  const leaving = make()
  const permission = new Permission(NEVER_MS)
  const read = permission.wait(leaving.signal)
  leaving.abort()
  await expect(read).rejects.toMatchObject({ code: 'aborted' })
  await expect(permission.wait(leaving.signal)).rejects.toMatchObject({ code: 'aborted' })
})

test('a failed start is reported at once, until a later one succeeds', async () => {
  const permission = new Permission(NEVER_MS)
  const read = permission.wait()
  permission.deny(new StoreError('full', 'no space left'))
  await expect(read).rejects.toMatchObject({ code: 'full' })
  await expect(permission.wait()).rejects.toMatchObject({ code: 'full' })
  permission.grant({ isSure: false })
  await permission.wait()
  permission.deny(new StoreError('mismatch', 'another chain'))
  await expect(permission.wait()).rejects.toMatchObject({ code: 'mismatch', message: 'another chain' })
})
