// What callers and the log are told when the database refuses.

import { expect, test } from 'vitest'
import { asReadError, reasonOf } from '../../../../server/methods/errors/storeErrors.ts'
import { StoreError } from '../../../../server/store/index.ts'
import { ApiError } from '../../../../shared/errors.ts'

test('a damaged file is not told as a database that is away: no retry helps, and the log has the reason', () => {
  const damaged = new StoreError('damaged', 'Files of the database are damaged: block 3', { sqlState: 'XX001' })
  const told = asReadError(damaged)
  if (!(told instanceof ApiError)) throw new Error('not told')
  expect([told.httpStatus, told.message]).toEqual([500, 'A part of the index is damaged'])
  expect(reasonOf(told)).toEqual({ reason: 'Files of the database are damaged: block 3' })
  expect(reasonOf(new ApiError('busy'))).toEqual({})
})

test('a read that another statement was in the way of until the end may be retried', () => {
  const returned = asReadError(new StoreError('conflict', 'deadlock detected', { sqlState: '40P01' }))
  if (!(returned instanceof ApiError)) throw new Error('an internal error')
  expect([returned.kind, returned.httpStatus, returned.message]).toEqual(['busy', 503, 'The index is busy'])
  expect(reasonOf(returned)).toEqual({ reason: 'deadlock detected' })
})
