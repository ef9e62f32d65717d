// Attempts that run at once, of endpoints that do not answer among others.

import { expect, test } from 'vitest'
import { boundedPost } from '../../../server/webhooks/boundedPost.ts'
import type { Posted, Posting } from '../../../server/webhooks/postWebhook.ts'

const ACCEPTED: Posted = { status: 200, ms: 1, error: '' }
const postingOf = (owner: string): Posting => ({ owner, endpoint: '', token: '', secret: '', name: '', body: '' })

function openHanging(most: number) {
  const begun: { readonly owner: string; readonly end: () => void }[] = []
  const post = boundedPost(
    ({ owner }) => new Promise((resolve) => begun.push({ owner, end: () => resolve(ACCEPTED) })),
    most,
  )
  return { begun, post: (owner: string, signal = new AbortController().signal) => post(postingOf(owner), signal) }
}

const countOf = (begun: readonly { readonly owner: string }[], name: string): number =>
  begun.filter(({ owner }) => owner === name).length

test('one owner has half of all attempts, and two leave room for a third', async () => {
  const { begun, post } = openHanging(16)
  const asked = ['a', 'b'].flatMap((owner) => Array.from({ length: 20 }, () => post(owner)))
  await expect.poll(() => begun.length).toBe(14)
  expect(countOf(begun, 'a')).toBe(8)
  const third = post('c')
  await expect.poll(() => countOf(begun, 'c')).toBe(1)
  expect(begun).toHaveLength(15)
  // What ends makes room for one that waits, until all are made.
  let ended = 0
  while (ended < 41) {
    await expect.poll(() => begun.length).toBeGreaterThan(ended)
    begun[ended++]?.end()
  }
  expect(await Promise.all([...asked, third])).toEqual(Array.from({ length: 41 }, () => ACCEPTED))
})

test('an attempt that is stopped while it waits is not made, and leaves its place to the next', async () => {
  const { begun, post } = openHanging(2)
  const first = post('a')
  const stopping = new AbortController()
  const stopped = post('a', stopping.signal)
  const next = post('a')
  stopping.abort('stopped')
  await expect(stopped).rejects.toBe('stopped')
  expect(begun).toHaveLength(1)
  begun[0]?.end()
  await first
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end()
  expect(await next).toEqual(ACCEPTED)
})
