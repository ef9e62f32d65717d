// A log that is opened by its outline: the same records in the same order, whatever became of the file.

import { copyFile, cp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ChainLog,
  LogDamaged,
  type LogPosition,
  type LogRecord,
  type NewRecord,
  OUTLINE_FILE,
  openLog,
} from '../../../../server/devchain/log/index.ts'
import { network, recordsFrom, temporaryFolder } from './logSetup.ts'

const BRIEF = 5
const briefOf = ({ payload }: Pick<NewRecord, 'payload'>): Uint8Array => payload.subarray(0, BRIEF)
const segment = (folder: string, number: number) => join(folder, `chain-${String(number).padStart(8, '0')}.log`)

interface Opened {
  readonly log: ChainLog
  readonly found: readonly LogRecord[]
}

async function open(folder: string, safe: LogPosition | null): Promise<Opened> {
  const found: LogRecord[] = []
  const replay = (record: LogRecord): void => void found.push(record)
  const log = await openLog(folder, { network, replay, brief: briefOf, safe, segmentBytes: 4_000 })
  return { log, found }
}

const shown = (found: readonly LogRecord[]) =>
  found.map(({ at, type, payload }) => ({ at, type, brief: Buffer.from(payload.subarray(0, BRIEF)) }))

/** Records in several segments, and a position in the middle of them. */
async function written() {
  const folder = await temporaryFolder()
  const { log } = await open(folder, null)
  for (let number = 0; number < 120; number++) await log.append(recordsFrom(number, 1), { durable: number % 3 === 0 })
  const safe = log.end
  for (let number = 120; number < 150; number++) await log.append(recordsFrom(number, 1), { durable: true })
  await log.close()
  const { log: again, found } = await open(folder, null)
  await again.close()
  return { folder, safe, all: shown(found) }
}

describe('an outline', () => {
  test('default: records before the position come by their briefs, the others whole', async () => {
    const { folder, safe, all } = await written()
    for (let opening = 0; opening < 2; opening++) {
      const { log, found } = await open(folder, safe)
      expect(shown(found)).toEqual(all)
      expect(log.recovery.records).toBe(30)
      expect(found.slice(0, 120).every(({ payload }) => payload.length <= BRIEF)).toBe(true)
      expect(found.slice(120).map(({ payload }) => payload)).toEqual(recordsFrom(120, 30).map(({ payload }) => payload))
      await log.close()
    }
  })

  test('behavior: the log goes on, and so does its outline', async () => {
    const { folder, safe } = await written()
    const { log } = await open(folder, safe)
    await log.append(recordsFrom(150, 10), { durable: true })
    const { end } = log
    await log.close()
    const { log: again, found } = await open(folder, end)
    expect(found).toHaveLength(160)
    expect(again.recovery.records).toBe(0)
    expect(await again.read(found.at(-1)?.at ?? end)).toMatchObject(recordsFrom(159, 1)[0] ?? {})
    await again.close()
  })

  test('behavior: whatever became of the file, the records are the same, and the next opening uses it again', async () => {
    const { folder, safe, all } = await written()
    const path = join(folder, OUTLINE_FILE)
    const bytes = await readFile(path)
    const other = await written()
    const flipped = (at: number) => async () => {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 4, at)
      await writeFile(path, changed)
    }
    const faults: Record<string, () => Promise<void>> = {
      gone: () => rm(path),
      empty: () => writeFile(path, ''),
      'cut short': () => truncate(path, bytes.length >> 1),
      'of another log': () => copyFile(join(other.folder, OUTLINE_FILE), path),
      'an entry is missing': () =>
        writeFile(path, Buffer.concat([bytes.subarray(0, 16), bytes.subarray(16 + 25 + BRIEF)])),
      'a length of gigabytes': () => writeFile(path, Buffer.concat([bytes.subarray(0, 900), Buffer.alloc(40, 255)])),
      ...Object.fromEntries([3, 12, 17, 24, 37, 900, bytes.length - 2].map((at) => [`byte ${at}`, flipped(at)])),
    }
    for (const [fault, spoil] of Object.entries(faults)) {
      await spoil()
      const { log, found } = await open(folder, safe)
      expect(shown(found), fault).toEqual(all)
      await log.close()
      expect((await stat(path)).size, fault).toBe(bytes.length)
      const { log: again } = await open(folder, safe)
      expect(again.recovery.records, fault).toBe(30)
      await again.close()
    }
  })

  test('behavior: is of no use for a log that ends before it', async () => {
    const { folder, safe, all } = await written()
    const shorter = all.findLast(({ at }) => at.segment < safe.segment)?.at.segment ?? 0
    const { log } = await open(folder, safe)
    const last = log.end.segment
    await log.close()
    for (let number = last; number > shorter; number--) await rm(segment(folder, number))
    const { log: again, found } = await open(folder, safe)
    expect(shown(found)).toEqual(all.filter(({ at }) => at.segment <= shorter))
    await again.close()
  })

  test('behavior: is of no use for a copy of the log that went another way', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder, null)
    await log.append(recordsFrom(0, 20), { durable: true })
    await log.close()
    const copy = await temporaryFolder()
    await cp(folder, copy, { recursive: true })
    // As long, and of the same type.
    const goOn = async (name: string, byte: number): Promise<LogPosition> => {
      const { log: one } = await open(name, null)
      await one.append([{ type: 9, payload: Buffer.alloc(50, byte) }], { durable: true })
      const { end } = one
      await one.close()
      return end
    }
    const end = await goOn(folder, 1)
    expect(await goOn(copy, 2)).toEqual(end)
    await copyFile(join(copy, OUTLINE_FILE), join(folder, OUTLINE_FILE))
    const { log: again, found } = await open(folder, end)
    expect(again.recovery.records).toBe(21)
    expect(found.at(-1)?.payload).toEqual(Buffer.alloc(50, 1))
    await again.close()
  })

  test('behavior: has the order of the log, whatever was acknowledged first', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder, null)
    const appends = Array.from({ length: 60 }, (_, number) =>
      log.append(recordsFrom(number, 1), { durable: number % 2 === 0 }),
    )
    await Promise.all(appends)
    const { end } = log
    await log.close()
    const { log: again, found } = await open(folder, end)
    const made = recordsFrom(0, 60).map((record) => ({ type: record.type, brief: Buffer.from(briefOf(record)) }))
    expect(shown(found).map(({ type, brief }) => ({ type, brief }))).toEqual(made)
    expect(again.recovery.records).toBe(0)
    await again.close()
  })
})

describe('damage before the position', () => {
  const flip = async (folder: string, { at }: { at: LogPosition }, byte: number): Promise<void> => {
    const bytes = await readFile(segment(folder, at.segment))
    bytes.writeUInt8(bytes.readUInt8(at.offset + byte) ^ 16, at.offset + byte)
    await writeFile(segment(folder, at.segment), bytes)
  }
  const damagedIn = async (log: ChainLog): Promise<LogPosition[]> => {
    const damaged: LogPosition[] = []
    await log.verify((_, at) => damaged.push(at))
    return damaged
  }

  test('error: is found when it is read, that after it at the opening', async () => {
    const { folder, safe, all } = await written()
    const early = all[7]
    const late = all[130]
    if (early === undefined || late === undefined) throw new Error('too few records')
    await flip(folder, early, 9)
    const { log } = await open(folder, safe)
    await expect(log.read(early.at)).rejects.toBeInstanceOf(LogDamaged)
    await log.close()
    await flip(folder, late, 9)
    await expect(open(folder, safe)).rejects.toBeInstanceOf(LogDamaged)
  })

  test('error: is reported without a read, each damaged record once, and others are read', async () => {
    const { folder, safe, all } = await written()
    const { log: whole } = await open(folder, safe)
    expect(await damagedIn(whole)).toEqual([])
    await whole.close()
    // The head of one, so that its length is not known, the payload of another, and neighbours in one segment.
    const chosen = [3, 40, 41, 77].flatMap((number) => all[number] ?? [])
    for (const [i, record] of chosen.entries()) await flip(folder, record, i % 2 === 0 ? 1 : 8)
    const { log } = await open(folder, safe)
    expect(await damagedIn(log)).toEqual(chosen.map(({ at }) => at))
    expect(await log.read(all[42]?.at ?? safe)).toMatchObject(recordsFrom(42, 1)[0] ?? {})
    await log.close()
  })

  test('error: in a record larger than what is read at once', async () => {
    const folder = await temporaryFolder()
    const { log } = await open(folder, null)
    const large = { type: 3, payload: Buffer.alloc(700_000, 'large') }
    const [at] = await log.append([large, ...recordsFrom(1, 3)], { durable: true })
    const { end } = log
    await log.close()
    const { log: whole } = await open(folder, end)
    expect(await damagedIn(whole)).toEqual([])
    await whole.close()
    if (at === undefined) throw new Error('no position')
    await flip(folder, { at }, 600_000)
    const { log: again } = await open(folder, end)
    expect(await damagedIn(again)).toEqual([at])
    await again.close()
  })

  test('behavior: a log that is closed verifies no more', async () => {
    const { folder, safe } = await written()
    const { log } = await open(folder, safe)
    const verified = log.verify(() => undefined)
    await log.close()
    await verified
    await log.verify(() => undefined)
  })
})
