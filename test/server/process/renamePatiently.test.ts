// A file that is open elsewhere cannot be replaced on Windows, for a moment.

import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renamePatiently } from '../../../server/process/renamePatiently.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonrpc-rename-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** As Windows moves a file: refused so often, with this code. */
function refusing(times: number, code: string) {
  const tries = { count: 0 }
  const move: typeof rename = async (from, to): Promise<void> => {
    tries.count++
    if (tries.count <= times) throw Object.assign(new Error(code), { code })
    await rename(from, to)
  }
  return { move, tries }
}

async function files(): Promise<{ from: string; to: string }> {
  const [from, to] = [join(folder, 'new'), join(folder, 'old')]
  await writeFile(from, 'new')
  await writeFile(to, 'old')
  return { from, to }
}

describe('a file replaces another one', () => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])('once the other one is free again (%s)', async (code) => {
    const { from, to } = await files()
    const { move } = refusing(2, code)
    await renamePatiently(from, to, [0, 0, 0], move)
    expect(await readFile(to, 'utf8')).toBe('new')
  })

  test('not when that stays as it is: the refusal is thrown, and both are as they were', async () => {
    const { from, to } = await files()
    const { move, tries } = refusing(9, 'EPERM')
    await expect(renamePatiently(from, to, [0, 0, 0], move)).rejects.toThrow('EPERM')
    expect([tries.count, await readFile(from, 'utf8'), await readFile(to, 'utf8')]).toEqual([4, 'new', 'old'])
  })

  test('any other failure is thrown at once', async () => {
    const { from, to } = await files()
    const { move, tries } = refusing(1, 'ENOSPC')
    await expect(renamePatiently(from, to, [0, 0, 0], move)).rejects.toThrow('ENOSPC')
    expect(tries.count).toBe(1)
  })
})
