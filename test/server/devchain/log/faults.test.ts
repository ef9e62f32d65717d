import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { diskFiles } from '../../../../server/devchain/log/files.ts'
import {
  type Files,
  LogBroken,
  LogFull,
  type LogPosition,
  openSnapshots,
} from '../../../../server/devchain/log/index.ts'
import { expectRecords, faultyFiles, makeRecord, network, open, recordsFrom, temporaryFolder } from './logSetup.ts'

const BALLAST = 400_000

/** A folder on a disk of 1 MB with some ballast: a real one where one may be mounted, else one that counts. */
async function smallDisk(): Promise<{ folder: string; files: Files; makeRoom: () => Promise<void> }> {
  const outer = dirname(await temporaryFolder())
  const ballast = join(outer, 'ballast')
  const folder = join(outer, 'data')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', outer], { stdio: 'ignore' })
  } catch {
    let room = 1_000_000 - BALLAST
    const files = faultyFiles((step) => {
      if (step !== 'write') return null
      if (room < 20_000) return 'ENOSPC'
      room -= 20_000
      return null
    })
    const makeRoom = async () => {
      room += BALLAST
    }
    return { folder, files, makeRoom }
  }
  onTestFinished(() => void execFileSync('umount', ['-l', outer]))
  await writeFile(ballast, Buffer.alloc(BALLAST))
  return { folder, files: diskFiles, makeRoom: () => rm(ballast) }
}

describe('a full disk', () => {
  test.each([64_000_000, 60_000])(
    'error: refuses without a trace, and goes on when there is room (segments of %d)',
    async (segmentBytes) => {
      const { folder, files, makeRoom } = await smallDisk()
      const { log } = await open(folder, { files, segmentBytes })
      const payload = Buffer.alloc(19_000, 'x')
      let taken = 0
      const written: LogPosition[] = []
      const append = async () => {
        written.push(...(await log.append([{ type: 1, payload }], { durable: true })))
        taken++
      }
      const refused = await (async () => {
        while (taken < 1_000) await append()
      })().catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(LogFull)
      expect(String(refused)).toContain('nothing acknowledged is lost; make room')
      expect(taken).toBeGreaterThan(10)
      const { segment, offset } = log.end
      const path = join(folder, `chain-${String(segment).padStart(8, '0')}.log`)
      expect((await stat(path)).size).toBe(offset)
      await expect(append()).rejects.toBeInstanceOf(LogFull)
      const seen = await Promise.all(written.map(async (at) => (await log.read(at)).payload.equals(payload)))
      expect(seen).toEqual(Array(taken).fill(true))
      await makeRoom()
      const before = taken
      for (let i = 0; i < 5; i++) await append()
      await log.close()
      const { found, log: again } = await open(folder)
      expect(found).toHaveLength(before + 5)
      expect(again.recovery.dropped).toBe(0)
      await again.close()
    },
  )

  test('error: what waits behind a refused append is refused too, so that there is never a gap', async () => {
    const folder = await temporaryFolder()
    let full = false
    const { log } = await open(folder, { files: faultyFiles((step) => (full && step === 'write' ? 'ENOSPC' : null)) })
    await log.append(recordsFrom(0, 1), { durable: true })
    full = true
    const first = log.append(recordsFrom(1, 1), { durable: true })
    await new Promise(setImmediate)
    const behind = [1, 2, 3].map(() => log.append(recordsFrom(2, 1), { durable: false }))
    const answers = await Promise.allSettled([first, ...behind])
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    full = false
    await log.append(recordsFrom(1, 3), { durable: true })
    await log.close()
    const { found } = await open(folder)
    expect(found).toHaveLength(4)
    expectRecords(found)
  })

  test('error: a segment that was begun and could not be opened is begun again where the one before ends', async () => {
    const folder = await temporaryFolder()
    let isFull = true
    const files = faultyFiles((step, path) => (step === 'open' && isFull && path.endsWith('2.log') ? 'ENOSPC' : null))
    const { log } = await open(folder, { files, segmentBytes: 1_000 })
    await log.append(recordsFrom(0, 100), { durable: true })
    await expect(log.append(recordsFrom(100, 1), { durable: true })).rejects.toBeInstanceOf(LogFull)
    isFull = false
    await log.append(recordsFrom(100, 2), { durable: true })
    await log.close()
    const { found, log: again } = await open(folder)
    expect(found).toHaveLength(102)
    expectRecords(found)
    await again.close()
  })

  test('error: a snapshot that finds no room leaves the older ones', async () => {
    const { folder, files, makeRoom } = await smallDisk()
    const { log } = await open(folder, { files })
    const snapshots = await openSnapshots(folder, { network, files })
    await snapshots.write(log, { at: log.end, meta: Buffer.from('old'), payload: Buffer.alloc(1_000) })
    await log.append(recordsFrom(0, 1), { durable: true })
    const tooLarge = (async function* () {
      for (let i = 0; i < 100; i++) yield Buffer.alloc(20_000, i)
    })()
    const refused = snapshots.write(log, { at: log.end, meta: Buffer.from('new'), payload: tooLarge })
    await expect(refused).rejects.toBeInstanceOf(LogFull)
    expect((await snapshots.latest())?.meta.toString()).toBe('old')
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    await makeRoom()
    await log.append(recordsFrom(1, 1), { durable: true })
  })

  test('behavior: room for the log is taken from older snapshots, one after the other, but not from the newest two', async () => {
    const folder = await temporaryFolder()
    const disk = { isFull: false, toRemove: 0 }
    const files: Files = {
      ...faultyFiles((step) => (step === 'write' && disk.isFull ? 'ENOSPC' : null)),
      async remove(path) {
        await diskFiles.remove(path)
        if (path.endsWith('.bin') && --disk.toRemove === 0) disk.isFull = false
      },
    }
    const snapshots = await openSnapshots(folder, { network, files })
    const { log } = await open(folder, { files, segmentBytes: 3_000, makeRoom: () => snapshots.makeRoom() })
    let count = 0
    const grow = async () => {
      await log.append(recordsFrom(count, 10), { durable: true })
      count += 10
    }
    for (let i = 0; i < 6; i++) {
      await grow()
      await snapshots.write(log, { at: log.end, meta: Buffer.from(String(count)), payload: Buffer.alloc(0) })
    }
    const newest = (await snapshots.list()).slice(-2)
    Object.assign(disk, { isFull: true, toRemove: 2 })
    await grow()
    expect(await snapshots.list()).toHaveLength(4)
    Object.assign(disk, { isFull: true, toRemove: 10 })
    await expect(log.append(recordsFrom(count, 10), { durable: true })).rejects.toBeInstanceOf(LogFull)
    expect(await snapshots.list()).toEqual(newest)
    disk.isFull = false
    await grow()
    await log.close()
    expectRecords((await open(folder)).found)
  })

  test('error: a partial record that cannot be cut off makes the log refuse until it is opened again', async () => {
    const folder = await temporaryFolder()
    let full = false
    const files = faultyFiles((step) => {
      if (!full || (step !== 'write' && step !== 'truncate')) return null
      return step === 'write' ? 'ENOSPC' : 'EIO'
    })
    const { log } = await open(folder, { files })
    await log.append(recordsFrom(0, 3), { durable: true })
    full = true
    await expect(log.append(recordsFrom(3, 3), { durable: true })).rejects.toBeInstanceOf(LogBroken)
    full = false
    await expect(log.append(recordsFrom(3, 3), { durable: true })).rejects.toBeInstanceOf(LogBroken)
    await log.close()
    const { log: again, found } = await open(folder)
    expect(found.length).toBeGreaterThanOrEqual(3)
    expect(found.length).toBeLessThan(6)
    expect(again.recovery.dropped).toBeGreaterThan(0)
    await again.append(recordsFrom(found.length, 2), { durable: true })
    await again.close()
    expectRecords((await open(folder)).found)
  })
})

describe('a failing disk', () => {
  test('error: a sync that failed is never called a success: nothing more is taken until the log is opened again', async () => {
    const folder = await temporaryFolder()
    let fails = false
    let syncs = 0
    const files = faultyFiles((step) => {
      if (step !== 'sync') return null
      syncs++
      return fails ? 'EIO' : null
    })
    const { log } = await open(folder, { files })
    const [at] = await log.append(recordsFrom(0, 3), { durable: true })
    fails = true
    const refused = log.append(recordsFrom(3, 3), { durable: true })
    const behind = log.append(recordsFrom(6, 3), { durable: true })
    await Promise.all([
      expect(refused).rejects.toThrow(/takes nothing more: EIO.* Mend the disk and start the service again/),
      expect(behind).rejects.toBeInstanceOf(LogBroken),
    ])
    fails = false
    const before = syncs
    await expect(log.append(recordsFrom(3, 3), { durable: true })).rejects.toBeInstanceOf(LogBroken)
    await expect(log.append(recordsFrom(3, 3), { durable: false })).rejects.toBeInstanceOf(LogBroken)
    await expect(log.sync()).rejects.toBeInstanceOf(LogBroken)
    expect(await log.read(at ?? log.end)).toMatchObject(makeRecord(0))
    await log.close()
    expect(syncs).toBe(before)
    const { log: again, found } = await open(folder)
    expectRecords(found)
    await again.append(recordsFrom(found.length, 1), { durable: true })
  })

  test('error: nor one of the interval, nor the one of closing', async () => {
    const folder = await temporaryFolder()
    let fails = false
    const files = faultyFiles((step) => (fails && step === 'sync' ? 'EIO' : null))
    const { log } = await open(folder, { files, sync: 'interval', syncEvery: 5 })
    fails = true
    await log.append(recordsFrom(0, 1), { durable: true })
    const refusal = () =>
      log.append([], { durable: false }).then(
        () => null,
        (error: unknown) => error,
      )
    await expect.poll(refusal).toBeInstanceOf(LogBroken)
    fails = false
    await log.close()
    const { log: lazy } = await open(folder, { files, sync: 'interval', syncEvery: 100_000 })
    await lazy.append(recordsFrom(1, 1), { durable: true })
    fails = true
    await expect(lazy.close()).rejects.toBeInstanceOf(LogBroken)
    fails = false
    expectRecords((await open(folder)).found)
  })

  test.each(['write', 'open', 'rename', 'syncFolder', 'sync'] as const)(
    'error: a new segment that fails at its %s',
    async (failing) => {
      const folder = await temporaryFolder()
      let fails = false
      const files = faultyFiles((step, path) => (fails && step === failing && !path.endsWith('1.log') ? 'EIO' : null))
      const { log } = await open(folder, { files, segmentBytes: 500 })
      await log.append(recordsFrom(0, 5), { durable: true })
      fails = true
      await expect(log.append(recordsFrom(5, 5), { durable: true })).rejects.toBeInstanceOf(LogBroken)
      fails = false
      await expect(log.append(recordsFrom(5, 5), { durable: true })).rejects.toBeInstanceOf(LogBroken)
      await log.close()
      const { log: again, found } = await open(folder, { segmentBytes: 500 })
      expect(found).toHaveLength(5)
      await again.append(recordsFrom(5, 5), { durable: true })
      await again.close()
      expectRecords((await open(folder)).found)
    },
  )

  test('error: a disk that fails while the log is opened leaves the folder free', async () => {
    const folder = await temporaryFolder()
    await mkdir(folder)
    for (const failing of ['open', 'write', 'sync', 'rename', 'syncFolder'] as const) {
      const files = faultyFiles((step) => (step === failing ? 'EIO' : null))
      await expect(open(folder, { files })).rejects.toMatchObject({ code: 'EIO' })
      await (await open(folder)).log.close()
      if (failing !== 'open') await truncate(join(folder, 'chain-00000001.log'), 104)
      await rm(join(folder, 'chain-00000001.log'))
    }
  })
})
