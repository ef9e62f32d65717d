// A server that is listed by a name with several addresses, and is far away or loses a packet.

import dns from 'node:dns'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clientLimits } from '../../../../server/node/adnl/adnlLimits.ts'
import { connectAdnl } from '../../../../server/node/adnl/index.ts'
import { spoke, startChild } from '../../../setup/children.ts'
import { patient } from './adnlScene.ts'

const SERVER = `
const { createServer } = await import('node:net')
const server = createServer((socket) => socket.destroy())
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`

/** The kernel sends a first packet that is lost again after so long. */
const RESENT_MS = 1_000
/** As the kernel names a connection whose first packet is on its way. */
const SYN_SENT = '02'
const LOOPS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function waiting(port: number): Promise<number> {
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/))
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return rows.filter(([, , remote, state]) => state === SYN_SENT && remote?.endsWith(end)).length
}

test.skipIf(process.platform !== 'linux')('is waited for at the address that is slow to connect', async () => {
  const server = startChild(SERVER, [])
  const port = Number(await spoke(server))
  // One that takes no connections drops the first packet of those that find its queue full.
  server.kill('SIGSTOP')
  const others = Array.from({ length: 6 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  onTestFinished(() => void others.map((one) => one.destroy()))
  const [first] = others
  if (first?.connecting) await once(first, 'connect')
  await expect.poll(() => waiting(port)).toBeGreaterThan(0)
  for (const one of others) if (one.connecting) one.destroy()
  await expect.poll(() => waiting(port)).toBe(0)
  const named = vi.spyOn(dns, 'lookup')
  onTestFinished(() => named.mockRestore())
  named.mockImplementation(((_: string, __: object, then: (error: null, found: object) => void) =>
    setImmediate(() => then(null, LOOPS))) as unknown as typeof dns.lookup)
  const limits = { ...patient, addressMs: 60_000 }
  const refusal = connectAdnl({ host: 'two.example', port, key: new Uint8Array(32).fill(9), limits }).catch(
    (error: unknown) => error,
  )
  await expect.poll(() => waiting(port)).toBe(1)
  server.kill('SIGCONT')
  // It was reached: what it says is not that of a lite server.
  expect(await refusal).toMatchObject({ code: 'hello' })
})

test('is given longer than a lost packet costs, and not all the time there is', () => {
  expect(clientLimits.addressMs).toBeGreaterThan(RESENT_MS)
  expect(clientLimits.addressMs).toBeLessThan(clientLimits.connectMs / 2)
})
