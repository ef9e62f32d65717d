import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeLeftSockets } from '../../../server/workers/leftSockets.ts'

/** A process that listens on a socket and is killed. */
async function killedListener(folder: string): Promise<string> {
  const path = `${folder}/tonrpc-'+process.pid+'-0011aaff.sock`
  const child = spawn(process.execPath, [
    '-e',
    `require('net').createServer().listen('${path}',()=>console.log('listens'))`,
  ])
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return `tonrpc-${child.pid}-0011aaff.sock`
}

test('sockets of killed processes are removed; those that answer, and what is no socket of ours, stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-left-'))
  const killed = await killedListener(folder)
  // The number of a process that is not here: one of another container answers.
  const answering = 'tonrpc-2147483647-00000000.sock'
  const own = `tonrpc-${process.pid}-00000001.sock`
  await writeFile(join(folder, own), '')
  await writeFile(join(folder, 'tonrpc-1-notes.sock'), '')
  const server = createServer((socket) => socket.destroy()).listen(join(folder, answering))
  await once(server, 'listening')
  expect(await readdir(folder)).toContain(killed)
  await removeLeftSockets(join(folder, own))
  expect((await readdir(folder)).toSorted()).toEqual([answering, own, 'tonrpc-1-notes.sock'].toSorted())
  server.close()
  await rm(folder, { recursive: true })
})
