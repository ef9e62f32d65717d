// A service in a process that may open few files: connections leave room for those of the chain, the index and threads.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mainFile, run } from '../../setup/runningService.ts'

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** Its status is the same on a slow machine; that of /healthz is not. */
const NO_PAGE = '/none'

/** The status on a connection that then stays open; null when it was closed without. */
async function statusOn(socket: Socket): Promise<number | null> {
  let text = ''
  socket.setEncoding('latin1').on('data', (data: string) => {
    text += data
  })
  socket.on('error', () => undefined)
  socket.write(GET(NO_PAGE))
  while (!text.includes('\r\n') && !socket.destroyed)
    await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined)
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]
  return status === undefined ? null : Number(status)
}

// Elsewhere no limit can be set by a shell.
test.runIf(process.platform === 'linux')('takes no more connections than it has files for', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-few-files-'))
  const args = ['-c', 'ulimit -n 600; exec "$0" "$@"', process.execPath, mainFile]
  const flags = ['--port', '0', '--seed', 'none', '--data', data, '--log-format', 'json']
  const patient = { TONRPC_CALL_MS: '120000', TONRPC_RUN_MS: '60000', TONRPC_STATEMENT_MS: '120000' }
  await using service = run('sh', [...args, ...flags], { env: patient })
  const port = Number((await service.says(/start page +http:\/\/127\.0\.0\.1:(\d+)/))[1])
  const [, connections] = await service.says(/"connections":(\d+),"wanted":1000.*fewer connections than --connections/)
  expect(Number(connections)).toBeLessThan(152)
  const sockets = Array.from({ length: 700 }, () => connect(port, '127.0.0.1'))
  const statuses = await Promise.all(sockets.map(statusOn))
  const answered = sockets.filter((_, i) => statuses[i] === 404)
  expect(answered.length).toBeGreaterThan(0)
  // While all of them are open: each block opens files, and so does what is read of it.
  const [holder] = answered
  if (holder === undefined) throw new Error('no connection was answered')
  const body = '{"jsonrpc":"2.0","id":1,"method":"dev.mine","params":{"blocks":3}}'
  let reply = ''
  holder.on('data', (text: string) => {
    reply += text
  })
  holder.write(`POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  while (!reply.includes('"ok":')) await once(holder, 'data')
  expect(reply).toContain('"ok":true')
  for (const socket of sockets) socket.destroy()
  expect(service.stdout() + service.stderr()).not.toContain('EMFILE')
  await service[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true, maxRetries: 20 })
})
