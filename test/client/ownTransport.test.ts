import { expect, test } from 'vitest'
import { createClient, TransportError } from '../../client/index.ts'
import type { StubApi } from './stubService.ts'

test('args: every function that answers', async () => {
  const client = createClient<StubApi>({
    transport: async (requests) => requests.map(({ id, params }) => ({ id, result: params })),
  })
  expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
})

test('error: its own failures carry the method', async () => {
  const transport = async () => {
    throw new TransportError({ reason: 'closed', text: 'gone' })
  }
  await expect(createClient<StubApi>({ transport }).echo()).rejects.toThrow('echo: gone')
})
