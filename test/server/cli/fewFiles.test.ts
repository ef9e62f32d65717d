// A service in a process that may open few files: connections leave room for the files of chain, index and threads.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mainFile, run } from '../../setup/runningService.ts'

/** The first line of the reply on a connection that then stays open. */
async function statusOn(port: number, sockets: Socket[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let text = ''
  while (!text.includes('\r\n')) {
    const [data] = await once(socket, 'data')
    text += String(data)
  }
  return text.slice(0, text.indexOf('\r\n'))
}

// Elsewhere no limit can be set by a shell.
test.runIf(process.platform === 'linux')(
  'answers or refuses each connection, when there are more than files',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'tonrpc-few-files-'))
    const args = ['-c', 'ulimit -n 600; exec "$0" "$@"', process.execPath, mainFile]
    const flags = ['--port', '0', '--seed', 'none', '--data', data, '--log-format', 'json']
    await using service = run('sh', [...args, ...flags])
    const ready = await service.says(/start page +http:\/\/127\.0\.0\.1:(\d+)/)
    const warning = await service.says(/fewer connections than --connections/)
    expect([ready, warning]).toEqual([expect.anything(), expect.anything()])
    const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(service.stdout())?.[1])
    const sockets: Socket[] = []
    const statuses = await Promise.all(Array.from({ length: 700 }, () => statusOn(port, sockets)))
    const kinds = new Set(statuses)
    for (const socket of sockets) socket.destroy()
    expect([...kinds].sort()).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 503 Service Unavailable'])
    await service[Symbol.asyncDispose]()
    await rm(data, { recursive: true, force: true, maxRetries: 20 })
  },
)
