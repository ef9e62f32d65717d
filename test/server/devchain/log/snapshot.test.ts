import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diskFiles } from '../../../../server/devchain/log/files.ts'
import { type Files, openSnapshots, type Snapshot } from '../../../../server/devchain/log/index.ts'
import {
  expectRecords,
  fileSizes,
  network,
  open,
  recordsFrom,
  temporaryFolder,
  totalBytes,
  watchedReads,
} from './logSetup.ts'

const NO_META = Buffer.alloc(0)

async function payloadOf(snapshot: Snapshot | null): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of snapshot?.chunks() ?? []) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function setup() {
  const folder = await temporaryFolder()
  const { log } = await open(folder, { segmentBytes: 3_000 })
  const reports: string[] = []
  const snapshots = await openSnapshots(folder, { network, report: (file, why) => reports.push(`${file}: ${why}`) })
  let count = 0
  const grow = async () => {
    await log.append(recordsFrom(count, 10), { durable: true })
    count += 10
    return { at: log.end, meta: Buffer.from(String(count)) }
  }
  const files = async () => (await readdir(folder)).filter((name) => name.startsWith('snapshot-')).sort()
  return { folder, log, reports, snapshots, grow, files }
}

describe('snapshots', () => {
  test('default: the newest comes back with its meta and payload, and the log goes on from it', async () => {
    const { folder, log, snapshots, grow } = await setup()
    expect(await snapshots.latest()).toBeNull()
    await snapshots.write(log, { ...(await grow()), payload: Buffer.alloc(3_000_000, 'abc') })
    await grow()
    await log.close()
    const found = await (await openSnapshots(folder, { network })).latest()
    expect(found?.meta.toString()).toBe('10')
    expect((await payloadOf(found)).equals(Buffer.alloc(3_000_000, 'abc'))).toBe(true)
    const { found: rest } = await open(folder, found ? { from: found.at } : {})
    expect(rest).toHaveLength(10)
    expectRecords(rest, 10)
  })

  test('args: payload: pieces of any size, and none', async () => {
    const { log, snapshots, grow } = await setup()
    const pieces = (async function* () {
      for (const size of [0, 1, 70_000, 2_500_000, 0]) yield Buffer.alloc(size, size % 251)
    })()
    await snapshots.write(log, { ...(await grow()), payload: pieces })
    const made = Buffer.concat([1, 70_000, 2_500_000].map((size) => Buffer.alloc(size, size % 251)))
    expect((await payloadOf(await snapshots.latest())).equals(made)).toBe(true)
    await snapshots.write(log, { at: (await grow()).at, meta: NO_META, payload: NO_META })
    const empty = await snapshots.latest()
    expect(empty?.meta).toEqual(NO_META)
    expect(await payloadOf(empty)).toEqual(NO_META)
  })

  test('behavior: the newest two stay, whatever room they take', async () => {
    const { log, snapshots, grow, files } = await setup()
    for (let i = 0; i < 8; i++) await snapshots.write(log, { ...(await grow()), payload: Buffer.alloc(100_000, i) })
    expect(await files()).toHaveLength(2)
    expect((await snapshots.latest())?.meta.toString()).toBe('80')
  })

  test('behavior: older ones stay everywhere in the log, and take a quarter of its room at most', async () => {
    const { folder, log, snapshots, grow } = await setup()
    for (let i = 0; i < 60; i++) await snapshots.write(log, { ...(await grow()), payload: Buffer.alloc(1_000, i) })
    const snapshotSizes = await fileSizes(folder, 'snapshot-')
    const logBytes = totalBytes(await fileSizes(folder, 'chain-'))
    expect(totalBytes(snapshotSizes.slice(0, -2))).toBeLessThanOrEqual(logBytes / 4)
    const counts: number[] = []
    for (let snapshot = await snapshots.latest(); snapshot !== null; ) {
      counts.unshift(Number(snapshot.meta))
      const { segment, offset } = snapshot.at
      snapshot = await snapshots.latest({ segment, offset: offset - 1 })
    }
    expect(counts).toHaveLength(snapshotSizes.length)
    const gaps = counts.map((count, i) => count - (counts[i - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual((3 * 600) / counts.length)
  })

  test('behavior: those that are not wanted any more go with the next one, also the newest', async () => {
    const { log, snapshots, grow, files } = await setup()
    for (let i = 0; i < 4; i++) await snapshots.write(log, { ...(await grow()), payload: NO_META })
    snapshots.isWanted = (meta) => !['20', '40'].includes(String(meta))
    await snapshots.write(log, { ...(await grow()), payload: NO_META })
    expect(await files()).toHaveLength(3)
    expect((await snapshots.latest(undefined, (meta) => String(meta) !== '50'))?.meta.toString()).toBe('30')
  })

  test('behavior: they go first where room is made, also the newest two', async () => {
    const { log, snapshots, grow, files } = await setup()
    for (let i = 0; i < 3; i++) await snapshots.write(log, { ...(await grow()), payload: NO_META })
    snapshots.isWanted = (meta) => String(meta) === '10'
    for (const left of [2, 1]) {
      expect(await snapshots.makeRoom()).toBe(true)
      expect(await files()).toHaveLength(left)
    }
    expect(await snapshots.makeRoom()).toBe(false)
    expect((await snapshots.latest())?.meta.toString()).toBe('10')
  })

  test('behavior: room is made also while another one is removed, as after a write', async () => {
    const { folder, log, snapshots, grow, files } = await setup()
    for (let i = 0; i < 4; i++) await snapshots.write(log, { ...(await grow()), payload: NO_META })
    const all = await files()
    const open: Files['open'] = async (path, mode) => {
      if (path.endsWith(`${all[0]}`)) await diskFiles.remove(path)
      return await diskFiles.open(path, mode)
    }
    expect(await (await openSnapshots(folder, { network, files: { ...diskFiles, open } })).makeRoom()).toBe(true)
    expect(await files()).toEqual(all.slice(2))
  })

  test('error: one is written also when older ones cannot be removed, which is reported', async () => {
    const { folder, log, grow } = await setup()
    const reports: string[] = []
    const report = (_: string, why: string) => void reports.push(why)
    const remove = () => Promise.reject(new Error('it is in use'))
    const snapshots = await openSnapshots(folder, { network, report, files: { ...diskFiles, remove } })
    for (let i = 0; i < 3; i++) await snapshots.write(log, { ...(await grow()), payload: Buffer.alloc(100_000, i) })
    expect((await snapshots.latest())?.meta.toString()).toBe('30')
    expect(reports).toEqual(['it is written, but older ones cannot be removed: it is in use'])
  })

  test('args: before: the newest at or before a position', async () => {
    const { log, snapshots, grow } = await setup()
    const taken = []
    for (let i = 0; i < 2; i++) {
      const one = await grow()
      taken.push(one.at)
      await snapshots.write(log, { ...one, payload: NO_META })
    }
    const [first, second] = taken
    if (!first || !second) throw new Error('nothing was taken')
    expect((await snapshots.latest(second))?.at).toEqual(second)
    expect((await snapshots.latest({ ...second, offset: second.offset - 1 }))?.at).toEqual(first)
    expect(await snapshots.latest({ ...first, offset: first.offset - 1 })).toBeNull()
  })

  test('args: isWanted: by the meta, and of the others no more is read', async () => {
    const { folder, log, snapshots, grow } = await setup()
    for (let i = 0; i < 2; i++) await snapshots.write(log, { ...(await grow()), payload: Buffer.alloc(1_000_000) })
    let read = 0
    const files = watchedReads((_, bytes) => {
      read += bytes
    })
    const counted = await openSnapshots(folder, { network, files })
    expect(await counted.latest(undefined, () => false)).toBeNull()
    expect(read).toBeLessThan(10_000)
    expect((await counted.latest(undefined, (meta) => String(meta) === '10'))?.meta.toString()).toBe('10')
    expect(read).toBeLessThan(1_100_000)
  })

  test('behavior: written at once they come one after the other, and the last is the newest', async () => {
    const { log, snapshots, grow } = await setup()
    const taken = [await grow(), await grow(), await grow()]
    await Promise.all(taken.map((one) => snapshots.write(log, { ...one, payload: Buffer.alloc(100_000) })))
    expect((await snapshots.latest())?.meta.toString()).toBe('30')
  })

  test('behavior: one is looked for while a segment of the log is begun', async () => {
    const folder = await temporaryFolder()
    const snapshots = await openSnapshots(folder, { network })
    let looks = 0
    const files: Files = {
      ...diskFiles,
      async rename(from, to) {
        if (to.endsWith('chain-00000002.log')) {
          await snapshots.latest()
          looks++
        }
        await diskFiles.rename(from, to)
      },
    }
    const { log } = await open(folder, { files, segmentBytes: 1_000 })
    for (let number = 0; number < 20; number++) await log.append(recordsFrom(number, 1), { durable: true })
    expect(looks).toBe(1)
    expect(log.end.segment).toBeGreaterThan(1)
  })

  test('behavior: what a killed writer left is removed, and a failed one leaves nothing', async () => {
    const { folder, log, snapshots, grow, files } = await setup()
    await writeFile(join(folder, 'snapshot-00000001-000000000000104.bin.tmp'), 'half')
    await openSnapshots(folder, { network })
    expect(await files()).toEqual([])
    const failing = (async function* () {
      yield Buffer.alloc(10)
      throw new Error('no more cells')
    })()
    await expect(snapshots.write(log, { ...(await grow()), payload: failing })).rejects.toThrow('no more cells')
    expect(await files()).toEqual([])
    await snapshots.write(log, { ...(await grow()), payload: NO_META })
  })
})

describe('snapshots that are passed over', () => {
  test('error: damaged or cut anywhere: reported, the one before is taken, then none', async () => {
    const { folder, log, snapshots, reports, grow, files } = await setup()
    await snapshots.write(log, { ...(await grow()), payload: Buffer.alloc(100, 'old') })
    await snapshots.write(log, { ...(await grow()), payload: Buffer.alloc(100, 'new') })
    const path = join(folder, (await files())[1] ?? '')
    const bytes = await readFile(path)
    for (let offset = 0; offset < bytes.length; offset++) {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(offset) ^ (1 << (offset % 8)), offset)
      for (const spoilt of [copy, bytes.subarray(0, offset)]) {
        await writeFile(path, spoilt)
        expect((await snapshots.latest())?.meta.toString()).toBe('10')
      }
    }
    expect(reports).toHaveLength(2 * bytes.length)
    expect(reports.at(-1)).toBe(`${path}: it is cut short`)
    await writeFile(join(folder, (await files())[0] ?? ''), '')
    expect(await snapshots.latest()).toBeNull()
    await writeFile(path, bytes)
    expect((await snapshots.latest())?.meta.toString()).toBe('20')
  })

  test('error: one that cannot be opened is reported, the one before is taken', async () => {
    const { folder, log, snapshots, reports, grow, files } = await setup()
    await snapshots.write(log, { ...(await grow()), payload: NO_META })
    await snapshots.write(log, { ...(await grow()), payload: NO_META })
    const path = join(folder, (await files())[1] ?? '')
    const failing: Files = {
      ...diskFiles,
      open: (name, mode) => (name === path ? Promise.reject(new Error('EIO: i/o error')) : diskFiles.open(name, mode)),
    }
    const report = (file: string, why: string) => reports.push(`${file}: ${why}`)
    const found = await (await openSnapshots(folder, { network, report, files: failing })).latest()
    expect(found?.meta.toString()).toBe('10')
    expect(reports).toEqual([`${path}: EIO: i/o error`])
  })

  test('error: ahead of the log, and of another log', async () => {
    const { folder, log, snapshots, reports, grow, files } = await setup()
    const { at } = await grow()
    await snapshots.write(log, { at: { ...at, offset: at.offset + 1_000 }, meta: NO_META, payload: NO_META })
    await snapshots.write(log, { at: { segment: 900, offset: 104 }, meta: NO_META, payload: NO_META })
    expect(await snapshots.latest()).toBeNull()
    expect(reports.map((text) => text.split(': ')[1])).toEqual(Array(2).fill('the log ends before it'))
    await Promise.all((await files()).map((name) => rm(join(folder, name))))
    await snapshots.write(log, { at: { segment: 1, offset: 104 }, meta: NO_META, payload: NO_META })
    await log.close()
    const segments = (await readdir(folder)).filter((name) => name.startsWith('chain-'))
    await Promise.all(segments.map((name) => rm(join(folder, name))))
    reports.length = 0
    expect(await snapshots.latest()).toBeNull()
    expect(reports.at(-1)).toMatch('there is no log for it')
    const { log: other } = await open(folder)
    expect(await snapshots.latest()).toBeNull()
    expect(reports.at(-1)).toMatch('it belongs to another log')
    await other.close()
  })
})
