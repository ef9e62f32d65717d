// Ids of subscriptions: replies have them as they were sent, also those of more digits than a double keeps.

import { expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { openSocket } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

const IDS = ['7', '"seven"', '9007199254740993', '-12345678901234567890', '1.5']

test('on the WebSocket of streams, in replies and refusals', async () => {
  const stream = await openSocket(service())
  const texts: string[] = []
  stream.socket.on('message', (data) => void texts.push(String(data)))
  for (const id of IDS) {
    stream.send(`{"operation":"ping","id":${id}}`)
    stream.send(`{"operation":"nothing","id":${id}}`)
  }
  await stream.frames.count(2 * IDS.length)
  expect(texts).toEqual(
    IDS.flatMap((id) => [`{"id":${id},"status":"pong"}`, `{"id":${id},"error":"unknown operation: nothing"}`]),
  )
})

test('of server-sent events', async () => {
  for (const id of IDS) {
    const end = new AbortController()
    const open = async (types: string) => {
      const body = `{"id":${id},"types":${types}}`
      const { signal } = end
      return await fetch(`${service().url}/api/streaming/v2/sse`, { method: 'POST', body, signal })
    }
    expect(await (await open('["nothing"]')).text()).toBe(`{"id":${id},"error":"invalid event type: nothing"}`)
    const reader = (await open('["blocks"]')).body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(new TextDecoder().decode(value)).toContain(`data: {"id":${id},"status":"subscribed"}\n`)
    end.abort()
  }
})
