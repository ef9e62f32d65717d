import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { cuttableProxy } from './cuttableProxy.ts'

test('what comes after the end of a slow time is not passed on before what is still delayed', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await cuttableProxy((server.address() as AddressInfo).port)
  const accepted = once(server, 'connection')
  const client = connect(proxy.port, '127.0.0.1')
  onTestFinished(() => {
    client.destroy()
    proxy.close()
    server.close()
  })
  const [target] = (await accepted) as [Socket]
  let passed = 0
  proxy.watch(() => passed++)
  proxy.slow(300)
  target.write('first')
  await expect.poll(() => passed).toBe(1)
  proxy.heal()
  target.end('second')
  let text = ''
  for await (const chunk of client) text += String(chunk)
  expect(text).toBe('firstsecond')
})
