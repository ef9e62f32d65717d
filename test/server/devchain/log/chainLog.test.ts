import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diskFiles } from '../../../../server/devchain/log/files.ts'
import { type Files, LOG_START, LogLocked, lockLogFolder, openLog } from '../../../../server/devchain/log/index.ts'
import { expectRecords, makeRecord, network, open, recordsFrom, temporaryFolder, writeLog } from './logSetup.ts'

/** Counts what reaches the disk. */
function countingFiles() {
  const counts = { writes: 0, syncs: 0 }
  const files: Files = {
    ...diskFiles,
    async open(path, mode) {
      const file = await diskFiles.open(path, mode)
      return {
        ...file,
        write(bytes, at) {
          counts.writes++
          return file.write(bytes, at)
        },
        sync() {
          counts.syncs++
          return file.sync()
        },
      }
    },
  }
  return { counts, files }
}

describe('append and read', () => {
  test('default: what was appended is there when the log is opened again, in order', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder)
    const positions = await log.append(recordsFrom(0, 20), { durable: true })
    expect(positions).toHaveLength(20)
    expect(positions[0]).toEqual(LOG_START)
    await log.close()
    const { log: again, found } = await open(folder)
    expect(found.map(({ at }) => at)).toEqual(positions)
    expectRecords(found)
    expect(again.recovery).toEqual({ records: 20, dropped: 0, droppedAt: null })
  })

  test('default: one record by its position, in any segment, from many readers at once', async () => {
    const { log } = await open(await temporaryFolder(), { segmentBytes: 3_000 })
    const positions = []
    for (let number = 0; number < 200; number++)
      positions.push(...(await log.append(recordsFrom(number, 1), { durable: false })))
    expect(log.end.segment).toBeGreaterThan(20)
    const order = positions.map((at, number) => ({ at, number })).sort((a, b) => (a.number % 17) - (b.number % 17))
    await Promise.all(
      order.map(async ({ at, number }) => expect(await log.read(at)).toEqual({ at, ...makeRecord(number) })),
    )
    const starts = await Promise.all(order.map(({ at }) => log.readStart(at)))
    for (const [i, { number }] of order.entries()) {
      const { payload } = makeRecord(number)
      const start = starts[i]?.payload ?? Buffer.alloc(0)
      expect(start.length).toBeGreaterThanOrEqual(Math.min(payload.length, 10_000))
      expect(Buffer.compare(start, payload.subarray(0, start.length))).toBe(0)
    }
  })

  test('behavior: a segment that could not be opened once is read the next time', async () => {
    let isFull = false
    const files: Files = {
      ...diskFiles,
      open: (path, mode) =>
        isFull
          ? Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }))
          : diskFiles.open(path, mode),
    }
    const { log } = await open(await temporaryFolder(), { files })
    const [at = LOG_START] = await log.append(recordsFrom(0, 1), { durable: true })
    isFull = true
    await expect(log.read(at)).rejects.toThrow('too many open files')
    isFull = false
    expect(await log.read(at)).toEqual({ at, ...makeRecord(0) })
  })

  test('behavior: a segment that is read while the log closes is closed after the read', async () => {
    const stillOpen: string[] = []
    let isRead = () => {}
    const reading = new Promise<void>((resolve) => {
      isRead = resolve
    })
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const files: Files = {
      ...diskFiles,
      async open(path, mode) {
        const { readNow: _, ...file } = await diskFiles.open(path, mode)
        if (mode !== 'read') return file
        stillOpen.push(path)
        return {
          ...file,
          async read(into, from) {
            isRead()
            await gate
            return await file.read(into, from)
          },
          async close() {
            await file.close()
            stillOpen.pop()
          },
        }
      },
    }
    const { log } = await open(await temporaryFolder(), { files })
    const [at = LOG_START] = await log.append(recordsFrom(0, 1), { durable: true })
    const read = log.read(at)
    await reading
    await log.close()
    expect(stillOpen).toHaveLength(1)
    goOn()
    expect(await read).toEqual({ at, ...makeRecord(0) })
    expect(stillOpen).toEqual([])
  })

  test('behavior: empty payloads and very large ones', async () => {
    const folder = await temporaryFolder()
    const large = Buffer.alloc(5_000_000, 'large')
    const { log } = await open(folder, { segmentBytes: 1_000 })
    const payloads = [Buffer.alloc(0), large, Buffer.alloc(0), Buffer.from('x')]
    for (const payload of payloads) await log.append([{ type: 7, payload }], { durable: true })
    await log.close()
    const { log: again, found } = await open(folder)
    expect(found.map(({ payload }) => payload.equals(payloads[found.length] ?? payload))).toEqual(Array(4).fill(true))
    expect(found.map(({ payload }) => payload.length)).toEqual([0, large.length, 0, 1])
    for (const { at, payload } of found) expect((await again.read(at)).payload.equals(payload)).toBe(true)
  })

  test('args: from: only records after a position are read', async () => {
    const folder = await temporaryFolder()
    await writeLog(folder, 100, { segmentBytes: 4_000 })
    const { log, found } = await open(folder)
    const { end } = log
    await log.close()
    for (const first of [1, 50, 99]) {
      const from = found[first]?.at ?? LOG_START
      const { log: again, found: rest } = await open(folder, { from })
      expect(rest).toEqual(found.slice(first))
      await again.append([], { durable: true })
      await again.close()
    }
    const { log: last, found: none } = await open(folder, { from: end })
    expect(none).toEqual([])
    await last.append(recordsFrom(100, 1), { durable: true })
    await last.close()
    expectRecords((await open(folder)).found)
  })

  test('behavior: replay may take its time, and its failure is the failure to open', async () => {
    const folder = await temporaryFolder()
    await writeLog(folder, 10)
    const seen: number[] = []
    const slow = await openLog(folder, {
      network,
      replay: async ({ type }) => {
        await new Promise(setImmediate)
        seen.push(type)
      },
    })
    expect(seen).toEqual(recordsFrom(0, 10).map(({ type }) => type))
    await slow.close()
    const failing = openLog(folder, { network, replay: () => Promise.reject(new Error('no such block')) })
    await expect(failing).rejects.toThrow('no such block')
    expect((await open(folder)).found).toHaveLength(10)
  })
})

describe('writing', () => {
  test('behavior: appends that wait go out in one write and one sync, in order', async () => {
    const folder = await temporaryFolder()
    const { counts, files } = countingFiles()
    const { log } = await open(folder, { files })
    const before = { ...counts }
    const first = log.append(recordsFrom(0, 1), { durable: true })
    await new Promise(setImmediate)
    const rest = Array.from({ length: 50 }, (_, i) => log.append(recordsFrom(i + 1, 1), { durable: true }))
    const positions = (await Promise.all([first, ...rest])).flat()
    expect(counts.writes - before.writes).toBe(2)
    expect(counts.syncs - before.syncs).toBe(2)
    expect(positions.map(({ offset }) => offset)).toEqual(positions.map(({ offset }) => offset).sort((a, b) => a - b))
    await log.close()
    expectRecords((await open(folder)).found)
  })

  test('args: durable: false does not wait for the disk, and sync does', async () => {
    const { counts, files } = countingFiles()
    const { log } = await open(await temporaryFolder(), { files })
    const before = counts.syncs
    await log.append(recordsFrom(0, 5), { durable: false })
    expect(counts.syncs).toBe(before)
    await log.sync()
    expect(counts.syncs).toBe(before + 1)
    await log.sync()
    expect(counts.syncs).toBe(before + 1)
  })

  test('args: sync: interval syncs regularly, and on request', async () => {
    const { counts, files } = countingFiles()
    const { log } = await open(await temporaryFolder(), { files, sync: 'interval', syncEvery: 20 })
    const before = counts.syncs
    await log.append(recordsFrom(0, 5), { durable: true })
    await expect.poll(() => counts.syncs).toBe(before + 1)
    await log.append(recordsFrom(5, 5), { durable: true })
    await log.sync()
    expect(counts.syncs).toBe(before + 2)
  })

  test('args: segmentBytes: a new file is begun behind so many bytes, and none without need', async () => {
    const folder = await temporaryFolder()
    await writeLog(folder, 100, { segmentBytes: 5_000 })
    const names = (await readdir(folder)).sort()
    expect(names.length).toBeGreaterThan(3)
    expect(names).toEqual(names.map((_, i) => `chain-${String(i + 1).padStart(8, '0')}.log`))
    for (const name of names.slice(0, -1)) expect((await stat(join(folder, name))).size).toBeGreaterThan(5_000)
    const bytes = await Promise.all(names.map((name) => readFile(join(folder, name))))
    for (let times = 0; times < 3; times++) await (await open(folder)).log.close()
    expect(await Promise.all(names.map((name) => readFile(join(folder, name))))).toEqual(bytes)
  })

  test('behavior: closing waits for what was appended; again is no failure', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder)
    const appended = log.append(recordsFrom(0, 3), { durable: false })
    await Promise.all([log.close(), log.close()])
    expect(await appended).toHaveLength(3)
    expect((await open(folder)).found).toHaveLength(3)
  })
})

describe('refusals', () => {
  test.each([0, -1, 256, 1.5, Number.NaN])('error: no record has the type %d', async (type) => {
    const { log } = await open(await temporaryFolder())
    const one = { type, payload: Buffer.alloc(1) }
    await expect(log.append([makeRecord(0), one], { durable: true })).rejects.toMatchObject({ code: 'record' })
    await log.append(recordsFrom(0, 1), { durable: true })
  })

  test('error: a record beyond the largest', async () => {
    const { log } = await open(await temporaryFolder())
    const payload = new Uint8Array(256 * 1024 * 1024 + 1)
    await expect(log.append([{ type: 1, payload }], { durable: true })).rejects.toMatchObject({ code: 'record' })
  })

  test('error: a position without a record', async () => {
    const { log } = await open(await temporaryFolder())
    const [first] = await log.append(recordsFrom(0, 3), { durable: true })
    const { end } = log
    const beyond = [
      end,
      { ...end, offset: 10 ** 12 },
      { segment: 2, offset: 104 },
      { segment: 0, offset: 104 },
      { ...end, offset: 0 },
    ]
    for (const at of beyond) await expect(log.read(at)).rejects.toMatchObject({ code: 'position' })
    const inside = { segment: 1, offset: (first?.offset ?? 0) + 1 }
    await expect(log.read(inside)).rejects.toMatchObject({ code: 'damaged', offset: inside.offset })
  })

  test('error: a log that is closed', async () => {
    const { log } = await open(await temporaryFolder())
    const [at] = await log.append(recordsFrom(0, 1), { durable: true })
    await log.close()
    await expect(log.append(recordsFrom(1, 1), { durable: true })).rejects.toMatchObject({ code: 'closed' })
    await expect(log.sync()).rejects.toMatchObject({ code: 'closed' })
    await expect(log.read(at ?? LOG_START)).rejects.toMatchObject({ code: 'closed' })
  })

  test('error: a folder that is open already; its lock may be held by the caller', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder)
    await expect(open(folder)).rejects.toBeInstanceOf(LogLocked)
    await log.close()
    const lock = await lockLogFolder(folder)
    const { log: again } = await open(folder, { lock })
    await again.append(recordsFrom(0, 1), { durable: true })
    await again.close()
    await expect(open(folder)).rejects.toBeInstanceOf(LogLocked)
    await lock.release()
    expect((await open(folder)).found).toHaveLength(1)
  })
})
