// Files of sockets that ended processes left.

import { mkdir, mkdtemp, open, readdir, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isBeaconOut, lightBeacon, removeFile } from '../../../server/process/beacon.ts'
import { exitOf, spoke, startChild } from '../../setup/children.ts'

async function ownFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tonrpc-beacon-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test.runIf(process.platform !== 'win32')('after one was removed, modules are found where links lead', async () => {
  const folder = await ownFolder()
  await mkdir(join(folder, 'package'))
  await symlink(join(folder, 'package'), join(folder, 'link'))
  for (const name of ['first.cjs', 'second.cjs']) await writeFile(join(folder, 'package', name), '')
  const { resolve } = createRequire(import.meta.url)
  // The first one fills what the loader keeps of paths.
  expect(resolve(join(folder, 'link/first.cjs'))).toBe(join(folder, 'package/first.cjs'))
  const end = await lightBeacon(join(folder, 'lock.sock'))
  await removeFile(join(folder, 'lock.sock'))
  expect(resolve(join(folder, 'link/second.cjs'))).toBe(join(folder, 'package/second.cjs'))
  expect(await readdir(folder)).toEqual(['link', 'package'])
  await end?.()
})

const HOLD = `
const { lockFolder } = await import(built + 'process/index.js')
await lockFolder(process.argv[1])
console.log('held')
setInterval(() => {}, 1_000)`

describe.runIf(process.platform === 'linux')('in a folder whose path is longer than the address of a socket', () => {
  async function longFolder(): Promise<string> {
    const folder = join(await ownFolder(), 'x'.repeat(90), 'y'.repeat(90))
    await mkdir(folder, { recursive: true })
    return folder
  }

  test('one answers for as long as its process lives', async () => {
    const folder = await longFolder()
    const child = startChild(HOLD, [folder])
    await spoke(child)
    const socket = (await readdir(folder)).find((name) => name.endsWith('.sock')) ?? 'none'
    expect(await isBeaconOut(join(folder, socket))).toBe(false)
    child.kill('SIGKILL')
    await exitOf(child)
    expect(await isBeaconOut(join(folder, socket))).toBe(true)
  })

  test('one that ends removes its file, and holds no folder open', async () => {
    const folder = await longFolder()
    const path = join(folder, 'lock.sock')
    const end = await lightBeacon(path)
    expect(await readdir(folder)).toEqual(['lock.sock'])
    expect(await lightBeacon(path)).toBeNull()
    await end?.()
    expect(await readdir(folder)).toEqual([])
    expect(await isBeaconOut(path)).toBe(false)
    const links = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
    expect(await Promise.all(links)).not.toContain(folder)
  })

  test('one that cannot take a connection goes on, and closes no file of others', async () => {
    const folder = await longFolder()
    const path = join(folder, 'lock.sock')
    const listening: Server[] = []
    const listen = vi.spyOn(Server.prototype, 'listen')
    listen.mockImplementationOnce(function (this: Server, ...given: unknown[]) {
      listening.push(this)
      return Reflect.apply(Server.prototype.listen, this, given)
    })
    const end = await lightBeacon(path)
    listen.mockRestore()
    // As Node does it when it has no file for the connection.
    listening[0]?.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
    const other = await open(folder)
    expect(await isBeaconOut(path)).toBe(false)
    await end?.()
    expect((await other.stat()).isDirectory()).toBe(true)
    await other.close()
    expect(await readdir(folder)).toEqual([])
  })
})

test('none to remove is no failure, and a folder is not removed', async () => {
  const folder = await ownFolder()
  await removeFile(join(folder, 'missing.sock'))
  await expect(removeFile(folder)).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
})
