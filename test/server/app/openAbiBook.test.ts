// Names and ABIs that calls gave, in the file that keeps them.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openAbiBook } from '../../../server/app/abi/openAbiBook.ts'
import { longestJson } from '../../setup/longestJson.ts'

const TLB = 'increase#7e8764ef query_id:uint64 = Msg;'

const warned = vi.fn()
// The cast: the book warns, and does nothing else with a log.
const log = { warn: warned } as unknown as Parameters<typeof openAbiBook>[1]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'names-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('what calls gave outlives a restart and calls at once, and not a reset', async () => {
  const config = { abi: '', network: 'devnet', data: join(folder, 'data'), reset: false } as const
  const book = await openAbiBook(config, log)
  await Promise.all(Array.from({ length: 20 }, (_, i) => book.setName(`0:${i}`, `name ${i}`)))
  await book.setAbi('ab', { name: 'Kept', text: TLB, errors: { 5: 'FIVE' } })
  const again = await openAbiBook(config, log)
  expect([...again.names]).toHaveLength(20)
  expect((await again.entries()).get('ab')).toMatchObject({ name: 'Kept', text: TLB, source: 'call' })
  // Only a devnet is reset.
  for (const network of ['testnet', 'custom'] as const)
    expect([...(await openAbiBook({ ...config, network, reset: true }, log)).names]).toHaveLength(20)
  await writeFile(join(config.data, 'names.json.damaged-1'), '{')
  await writeFile(join(config.data, 'names.jsonl'), 'of a person')
  expect([...(await openAbiBook({ ...config, reset: true }, log)).names]).toEqual([])
  expect(await readdir(config.data)).toEqual(['names.jsonl'])
})

test('megabytes of descriptions are written in pieces', async () => {
  const data = await mkdtemp(join(folder, 'large-'))
  const config = { abi: '', network: 'devnet', data, reset: false } as const
  const book = await openAbiBook(config, log)
  const codes = Array.from({ length: 100 }, (_, i) => `code${i}`)
  await book.setAbis(codes.map((codeHash) => ({ codeHash, name: codeHash, text: TLB.repeat(500), errors: {} })))
  expect(await longestJson(() => book.setName('0:1', 'shop'))).toBeLessThan(100_000)
  const again = await openAbiBook(config, log)
  expect([...(await again.entries()).keys()]).toEqual(codes)
  expect([...again.names]).toEqual([['0:1', 'shop']])
})

describe('a damaged file of names', () => {
  const NAME = { '0:1': 'shop', '0:2': 'other' }
  const ABI = { codeHash: 'ab', name: 'Kept', text: TLB, errors: { 5: 'FIVE' }, opcodes: {} }
  test.each([
    ['is cut', '{"names": {', {}, []],
    ['is not of names', '[]', {}, []],
    ['has a name that is a number', JSON.stringify({ names: { ...NAME, '0:3': 7 }, abis: [ABI] }), NAME, ['Kept']],
    ['has an ABI without errors', JSON.stringify({ names: NAME, abis: [ABI, { ...ABI, errors: 7 }] }), NAME, ['Kept']],
    ['has an ABI that is none', JSON.stringify({ names: NAME, abis: [null, 'x', ABI] }), NAME, ['Kept']],
  ])('error: one that %s is kept beside, what is whole in it is used, and it is said', async (_, text, names, abis) => {
    const data = await mkdtemp(join(folder, 'damaged-'))
    const path = join(data, 'names.json')
    await writeFile(path, text)
    warned.mockClear()
    const book = await openAbiBook({ abi: '', network: 'devnet', data, reset: false }, log)
    expect(Object.fromEntries(book.names)).toEqual(names)
    expect([...(await book.entries()).values()].map(({ name }) => name)).toEqual(abis)
    const [[{ kept }, said]] = warned.mock.calls as [[{ kept: string }, string]]
    expect(said).toMatch(/damaged: it is kept beside/)
    await book.setName('0:9', 'later')
    expect(await readFile(kept, 'utf8')).toBe(text)
    // The next start has nothing to say.
    warned.mockClear()
    expect((await openAbiBook({ abi: '', network: 'devnet', data, reset: false }, log)).names.get('0:9')).toBe('later')
    expect(warned).not.toHaveBeenCalled()
    expect((await readdir(data)).sort()).toHaveLength(2)
  })

  test('error: one that cannot be read is not replaced', async () => {
    const data = await mkdtemp(join(folder, 'unreadable-'))
    await mkdir(join(data, 'names.json'))
    await expect(openAbiBook({ abi: '', network: 'devnet', data, reset: false }, log)).rejects.toThrow(
      /names that calls gave.*read/,
    )
  })
})

test('error: what the disk does not take is refused in words, and is not there', async () => {
  const data = await mkdtemp(join(folder, 'full-'))
  const book = await openAbiBook({ abi: '', network: 'devnet', data, reset: false }, log)
  await book.setName('0:1', 'shop')
  await rm(data, { recursive: true })
  await writeFile(data, 'a file in the place of the folder')
  const refused = {
    kind: 'busy',
    message: expect.stringMatching(/^names and ABIs cannot be kept: a part of the path is a file/),
  }
  await expect(book.setName('0:1', 'other')).rejects.toMatchObject(refused)
  await expect(book.setName('0:2', 'new')).rejects.toMatchObject(refused)
  await expect(book.setAbi('ab', { name: 'New', text: TLB, errors: {} })).rejects.toMatchObject(refused)
  expect([...book.names]).toEqual([['0:1', 'shop']])
  expect(await book.count()).toEqual({ names: 1, abis: 0 })
  await rm(data)
  await mkdir(data)
  await book.setName('0:2', 'new')
  expect([...book.names.keys()]).toEqual(['0:1', '0:2'])
})

test('many names at once are a few writes, and each caller has its own kept when it is told so', async () => {
  const data = await mkdtemp(join(folder, 'many-'))
  const writes = new Set<number>()
  const path = join(data, 'names.json')
  const book = await openAbiBook({ abi: '', network: 'devnet', data, reset: false }, log)
  await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      await book.setName(`0:${i}`, `name ${i}`)
      writes.add((await stat(path)).ino)
      const { names } = JSON.parse(await readFile(path, 'utf8')) as { names: Record<string, string> }
      expect(names[`0:${i}`]).toBe(`name ${i}`)
    }),
  )
  expect(writes.size).toBeLessThanOrEqual(2)
})
