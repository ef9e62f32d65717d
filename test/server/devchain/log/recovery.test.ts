import { randomBytes } from 'node:crypto'
import {
  appendFile,
  copyFile,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOG_START, LogDamaged, LogForeign, openLog } from '../../../../server/devchain/log/index.ts'
import { FRAME_BYTES } from '../../../../server/devchain/log/logRecord.ts'
import {
  expectRecords,
  faultyFiles,
  makeRecord,
  network,
  open,
  recordsFrom,
  temporaryFolder,
  writeLog,
} from './logSetup.ts'

const segment = (folder: string, number = 1) => join(folder, `chain-${String(number).padStart(8, '0')}.log`)

/** A log as a killed process leaves it: records in two appends, the last behind which nothing was written. */
async function killedLog() {
  const folder = await temporaryFolder()
  const { log } = await open(folder)
  await log.append(recordsFrom(0, 10), { durable: true })
  await log.append(recordsFrom(10, 10), { durable: true })
  const bytes = await readFile(segment(folder))
  await log.close()
  await writeFile(segment(folder), bytes)
  const { log: whole, found } = await open(folder)
  await whole.close()
  await writeFile(segment(folder), bytes)
  return { folder, path: segment(folder), bytes, found }
}

async function flip(path: string, offset: number): Promise<void> {
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset)
  await writeFile(path, bytes)
}

/** After what was torn is gone the log goes on. */
async function expectGoesOn(folder: string, count: number): Promise<void> {
  const { log, found } = await open(folder)
  expect(found).toHaveLength(count)
  expect(log.recovery.dropped).toBe(0)
  await log.append(recordsFrom(count, 5), { durable: true })
  await log.close()
  expectRecords((await open(folder)).found)
}

describe('a write that was cut short', () => {
  test('behavior: is taken off and reported, wherever it was cut', async () => {
    const { folder, path, bytes, found } = await killedLog()
    const last = found.at(-1)?.at.offset ?? 0
    for (const cut of [1, 3, 4, 5, 7, 8, 11, 12, Math.min(40, bytes.length - last - 1)]) {
      await writeFile(path, bytes.subarray(0, last + cut))
      const { log } = await open(folder)
      expect(log.recovery).toEqual({ records: 19, dropped: cut, droppedAt: { segment: 1, offset: last } })
      await log.close()
    }
    await expectGoesOn(folder, 19)
  })

  test('behavior: a last record that is not what was written is one', async () => {
    const { folder, path, bytes, found } = await killedLog()
    const offset = found.at(-1)?.at.offset ?? 0
    await flip(path, offset + 9)
    const { log } = await open(folder)
    expect(log.recovery).toMatchObject({ records: 19, dropped: bytes.length - offset })
    await log.close()
    await expectGoesOn(folder, 19)
  })

  test.each([1, 11, 12, 500, 3_000_000])('behavior: %d zeros at the end are one', async (count) => {
    const { folder, path, bytes } = await killedLog()
    await appendFile(path, Buffer.alloc(count))
    const { log } = await open(folder)
    expect(log.recovery).toEqual({ records: 20, dropped: count, droppedAt: { segment: 1, offset: bytes.length } })
    await log.close()
    await expectGoesOn(folder, 20)
  })

  test('behavior: bytes of another life of the disk are one, records among them', async () => {
    const { folder, path, bytes } = await killedLog()
    await appendFile(path, Buffer.concat([randomBytes(50_000), bytes, randomBytes(777)]))
    const { log } = await open(folder)
    expect(log.recovery).toMatchObject({ records: 20, dropped: 50_777 + bytes.length })
    await log.close()
    await expectGoesOn(folder, 20)
  })

  test('behavior: pages of one write may be missing where a later one is there', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder)
    await log.append(recordsFrom(0, 5), { durable: true })
    const { offset } = log.end
    const payload = randomBytes(20_000)
    await log.append(
      [
        { type: 1, payload },
        { type: 2, payload },
      ],
      { durable: true },
    )
    const bytes = await readFile(segment(folder))
    await log.close()
    await writeFile(segment(folder), bytes.fill(0, 8_192, 12_288))
    const { log: again } = await open(folder)
    expect(again.recovery).toMatchObject({ records: 5, droppedAt: { segment: 1, offset: offset + 12 } })
    await again.close()
    await expectGoesOn(folder, 5)
  })

  test('behavior: the page in which a write begins may be older than the pages behind it', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder)
    await log.append(recordsFrom(0, 5), { durable: true })
    const page = 8_192
    // The first ends a little before the end of a page; what is behind it there is missing.
    const length = page - 100 - FRAME_BYTES - log.end.offset - FRAME_BYTES
    await log.append([{ type: 1, payload: randomBytes(length) }], { durable: false })
    const { offset } = log.end
    expect(page - offset).toBeLessThan(512)
    for (let i = 0; i < 2; i++) await log.append([{ type: 1, payload: randomBytes(6_000) }], { durable: false })
    const bytes = await readFile(segment(folder))
    await log.close()
    await writeFile(segment(folder), bytes.fill(0, offset, page))
    const { log: again } = await open(folder)
    expect(again.recovery).toMatchObject({ records: 6, droppedAt: { segment: 1, offset } })
    await again.close()
  })

  test('behavior: a length beyond the file, or beyond all reason, takes no memory', async () => {
    const { folder, path, bytes } = await killedLog()
    for (const length of [0xffff_ffff, 0x7fff_ffff, 200_000_000]) {
      const head = Buffer.alloc(8)
      head.writeUInt32LE(length)
      await writeFile(path, Buffer.concat([bytes, head, Buffer.alloc(100, 1)]))
      const before = process.memoryUsage().arrayBuffers
      const { log } = await open(folder)
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
      expect(log.recovery).toMatchObject({ records: 20, dropped: 108 })
      await log.close()
    }
  })

  test('behavior: an unfinished segment is removed', async () => {
    const { folder, path } = await killedLog()
    await copyFile(path, `${segment(folder, 2)}.tmp`)
    await expectGoesOn(folder, 20)
    expect((await readdir(folder)).filter((name) => name.startsWith('chain-'))).toEqual(['chain-00000001.log'])
  })
})

describe('damage', () => {
  test('error: whole records behind one that is not: file and byte are named, nothing is changed', async () => {
    const { folder, path, found } = await killedLog()
    for (const number of [0, 5, 12, 18]) {
      const at = found[number]?.at.offset ?? 0
      for (const field of [0, 2, 3, 4, 6, 9]) {
        await flip(path, at + field)
        const bytes = await readFile(path)
        const refused = await openLog(folder, { network }).catch((error: unknown) => error)
        expect(refused).toBeInstanceOf(LogDamaged)
        expect(refused).toMatchObject({ code: 'damaged', file: path, offset: at })
        expect(String(refused)).toMatch(/Nothing was changed. Put the folder back/)
        expect((await readFile(path)).equals(bytes)).toBe(true)
        await flip(path, at + field)
      }
    }
    await expectGoesOn(folder, 20)
  })

  test('error: what a mark says was safe is damage even when it is zeros', async () => {
    const { folder, path } = await killedLog()
    const { log } = await open(folder)
    await log.append([{ type: 1, payload: randomBytes(10_000) }], { durable: true })
    await log.append([{ type: 1, payload: randomBytes(10) }], { durable: true })
    await log.close()
    const bytes = await readFile(path)
    await writeFile(path, bytes.fill(0, bytes.length - 8_192, bytes.length - 4_096))
    await expect(open(folder)).rejects.toBeInstanceOf(LogDamaged)
  })

  test('error: the last record of a log that was closed in peace', async () => {
    const folder = await temporaryFolder()
    await writeLog(folder, 10)
    const { log, found } = await open(folder)
    await log.close()
    const at = found.at(-1)?.at.offset ?? 0
    await flip(segment(folder), at + 9)
    await expect(open(folder)).rejects.toMatchObject({ code: 'damaged', offset: at })
  })

  test('error: a segment other than the last that is cut or changed, also between two records', async () => {
    const folder = await temporaryFolder()
    await writeLog(folder, 60, { segmentBytes: 5_000 })
    const path = segment(folder, 2)
    const bytes = await readFile(path)
    const { log, found } = await open(folder)
    await log.close()
    const lastInIt = found.filter(({ at }) => at.segment === 2).at(-1)?.at.offset ?? 0
    for (const size of [bytes.length - 1, lastInIt]) {
      await truncate(path, size)
      for (const from of [LOG_START, found.at(-1)?.at ?? LOG_START])
        await expect(open(folder, { from })).rejects.toMatchObject({ code: 'damaged', file: path, offset: size })
    }
    await writeFile(path, Buffer.concat([bytes, Buffer.alloc(1)]))
    await expect(open(folder)).rejects.toMatchObject({ code: 'damaged', file: path, offset: bytes.length + 1 })
    await writeFile(path, bytes)
    expectRecords((await open(folder)).found)
  })

  test('error: a missing segment', async () => {
    const folder = await temporaryFolder()
    await writeLog(folder, 60, { segmentBytes: 5_000 })
    for (const number of [1, 2]) {
      await rename(segment(folder, number), join(folder, 'aside'))
      await expect(open(folder)).rejects.toThrow(`${segment(folder, number)} is damaged at byte 0: the file is missing`)
      await rename(join(folder, 'aside'), segment(folder, number))
    }
  })

  test('error: a header that is cut or changed', async () => {
    const { folder, path, bytes } = await killedLog()
    for (const size of [0, 1, 103]) {
      await writeFile(path, bytes.subarray(0, size))
      await expect(open(folder)).rejects.toMatchObject({ code: 'damaged', offset: size })
    }
    for (const offset of [0, 13, 17, 25, 33, 50, 101]) {
      await writeFile(path, bytes)
      await flip(path, offset)
      await expect(open(folder)).rejects.toBeInstanceOf(LogDamaged)
    }
  })

  test('error: a reader meets damage that happened since', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder, { segmentBytes: 2_000 })
    const positions = []
    for (let number = 0; number < 40; number++)
      positions.push(...(await log.append(recordsFrom(number, 1), { durable: true })))
    const at = positions[10] ?? log.end
    const handle = await openFile(segment(folder, at.segment), 'r+')
    await handle.write(Buffer.alloc(8, 0xff), 0, 8, at.offset)
    await handle.close()
    await expect(log.read(at)).rejects.toMatchObject({ code: 'damaged', offset: at.offset })
    for (const [number, other] of positions.entries())
      if (other !== at) expect(await log.read(other)).toEqual({ at: other, ...makeRecord(number) })
  })
})

describe('logs of others', () => {
  test('error: of another network', async () => {
    const { folder, path } = await killedLog()
    const refused = open(folder, { network: Buffer.from('mainnet') })
    await expect(refused).rejects.toBeInstanceOf(LogForeign)
    await expect(refused).rejects.toThrow(`${path} belongs to network "test-network", not to "mainnet"`)
    await expect(open(folder, { network: Buffer.alloc(32, 0xab) })).rejects.toThrow('ab'.repeat(32))
  })

  test('error: of another format', async () => {
    const { folder, path, bytes } = await killedLog()
    const copy = Buffer.from(bytes)
    copy.writeUInt32LE(9, 8)
    await writeFile(path, copy)
    await expect(open(folder)).rejects.toThrow('is written in format 9, and this release reads format 1')
  })

  test('error: a segment of another log of the same network, and one under the wrong name', async () => {
    const one = await temporaryFolder()
    const other = await temporaryFolder()
    for (const folder of [one, other]) await writeLog(folder, 60, { segmentBytes: 5_000 })
    await copyFile(segment(other, 2), segment(one, 2))
    await expect(open(one)).rejects.toThrow('belongs to another log')
    await copyFile(segment(other, 1), segment(other, 2))
    await expect(open(other)).rejects.toThrow('is segment 1 by its header')
  })

  test('error: a place to start that the log does not have', async () => {
    const { folder } = await killedLog()
    for (const from of [
      { segment: 1, offset: 10 ** 9 },
      { segment: 2, offset: 104 },
      { segment: 1, offset: 0 },
      { segment: 0, offset: 104 },
    ])
      await expect(open(folder, { from })).rejects.toMatchObject({ code: 'position' })
    await expectGoesOn(folder, 20)
  })
})

test('behavior: opening puts what may not be on the disk there once more', async () => {
  const { folder, path } = await killedLog()
  const steps: string[] = []
  const files = faultyFiles((step, on) => {
    if (on === path) steps.push(step)
    return null
  })
  const { log } = await open(folder, { files })
  expect(steps.slice(-2)).toEqual(['write', 'sync'])
  await log.close()
  expect((await stat(path)).size).toBeGreaterThan(0)
  await rm(folder, { recursive: true })
})
