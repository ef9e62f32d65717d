// What is charged and is no method is in the usage all the same: the quota of a month is the sum of what its owner is shown.

import { expect, test } from 'vitest'
import { ask, post } from '../../setup/calls.ts'
import { serve } from '../../setup/service.ts'
import { openEvents, openSocket } from '../../setup/streams.ts'

const TOKEN = 'a token of an operator, long enough'
const asAdmin = { 'X-Admin-Token': TOKEN }
const ORDER = { types: ['blocks'] }

test.each([{ workers: '1' }, { workers: '2' }])(
  'streams, webhooks and looks at the own key are counted by key, with $workers processes',
  async ({ workers }) => {
    await using service = await serve({ withIndex: true, config: { adminToken: TOKEN, limits: 'on', workers } })
    const { body: made } = await post(service, '/api/admin/keys', { plan: 'advanced', monthly: 6 }, asAdmin)
    const headers = { 'X-API-Key': String(made.key) }
    expect((await openEvents(service, ORDER, headers)).reply.status).toBe(200)
    const socket = await openSocket(service, '/api/streaming/v2/ws', { headers })
    expect(await socket.say('subscribe', ORDER)).toMatchObject({ status: 'subscribed' })
    expect(await socket.say('subscribe', ORDER)).toMatchObject({ status: 'subscribed' })
    expect(await socket.say('subscribe', ORDER)).toMatchObject({ status: 'subscribed' })
    expect((await ask(service, '/webhooks', { headers })).status).toBe(200)
    expect((await ask(service, '/api/keys/me', { headers })).body).toMatchObject({ monthly: { limit: 6, used: 6 } })
    expect(await socket.say('subscribe', ORDER)).toMatchObject({ error: expect.stringContaining('quota') })
    const counted = async () => {
      const { body } = await ask(service, `/api/admin/usage?key=${String(made.id)}`, { headers: asAdmin })
      const rows = body.usage as { method: string; calls: number; weight: number; limited: number }[]
      return rows.map(({ method, calls, weight, limited }) => `${method} ${calls} ${weight} ${limited}`).toSorted()
    }
    await expect.poll(counted).toEqual(['keys.me 1 1 0', 'stream 2 2 0', 'stream.subscribe 3 2 1', 'webhooks 1 1 0'])
  },
)
