import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLog, openSnapshots } from '../../../../server/devchain/log/index.ts'
import {
  exitOf,
  expectRecords,
  fileSizes,
  makeRecord,
  network,
  open,
  startChild,
  temporaryFolder,
  totalBytes,
} from './logSetup.ts'

const KILLS = 40
/** A life is as long as what it says, and a moment more: a slow machine kills as late in it. */
const MOST_LINES = 60
const LAST_MOMENT_MS = 5
const YOUNG_MS = 300
const BRIEF = 8

/** Goes on with the log where it ends, in three lanes, and says after each append how many records are acknowledged. */
const APPEND = `
const { writeSync } = await import('node:fs')
${makeRecord}
const folder = process.argv[1]
const network = Buffer.from(process.argv[2])
const snapshots = await log.openSnapshots(folder, { network })
const newest = await snapshots.latest()
let next = newest === null ? 0 : Number(newest.meta)
const options = { network, segmentBytes: 150_000, replay: () => void next++ }
const from = newest === null ? log.LOG_START : newest.at
let chain
if (process.argv[3] === 'from') chain = await log.openLog(folder, { ...options, from })
else {
  next = 0
  const brief = ({ payload }) => payload.subarray(0, 8)
  chain = await log.openLog(folder, { ...options, brief, safe: newest === null ? null : newest.at })
}
async function lane() {
  for (;;) {
    const first = next
    next += 1 + Math.floor(Math.random() * 4)
    const records = Array.from({ length: next - first }, (_, i) => makeRecord(first + i))
    const [at] = await chain.append(records, { durable: Math.random() < 0.7 })
    writeSync(1, first + records.length + '\\n')
    if (Math.random() < 0.03)
      await snapshots.write(chain, { at, meta: Buffer.from(String(first)), payload: Buffer.alloc(Math.random() * 200_000) })
  }
}
await Promise.all([lane(), lane(), lane()])`

/** Starts a writer and kills it somewhere; returns what it had acknowledged last. */
async function writeUntilKilled(folder: string, opening: 'from' | 'outline'): Promise<number> {
  const child = startChild(APPEND, [folder, network.toString(), opening])
  const over = once(child, 'close')
  let text = ''
  // Some die while they open the log, most while they write.
  const lines = Math.random() < 0.15 ? 0 : 1 + Math.floor(Math.random() * MOST_LINES)
  const said = new Promise<void>((resolve) => {
    child.stdout.on('data', (bytes) => {
      text += bytes
      if (text.split('\n').length > lines) resolve()
    })
  })
  if (lines === 0) await sleep(Math.random() * YOUNG_MS)
  else await Promise.race([said, over])
  await sleep(Math.random() * LAST_MOMENT_MS)
  child.kill('SIGKILL')
  await exitOf(child)
  await over
  // The last line may have been cut short by the kill.
  return Math.max(0, ...text.split('\n').slice(0, -1).map(Number))
}

/** How many records the log holds by its outline; those it has no need to read are compared by their first bytes. */
async function countOutlined(
  folder: string,
  verified: boolean,
): Promise<{ readonly count: number; readonly outlined: number }> {
  const safe = (await (await openSnapshots(folder, { network })).latest())?.at ?? null
  const { log, found } = await open(folder, { brief: ({ payload }) => payload.subarray(0, BRIEF), safe })
  const outlined = found.length - log.recovery.records
  for (const [number, { type, payload }] of found.entries()) {
    const made = makeRecord(number)
    const length = number < outlined ? BRIEF : made.payload.length
    const same = type === made.type && payload.equals(made.payload.subarray(0, length))
    if (!same) expect({ number, type, payload }).toEqual(made)
  }
  const refuse = (damage: Error): never => {
    throw damage
  }
  if (verified) await log.verify(refuse)
  await log.close()
  return { count: found.length, outlined }
}

/** What the log holds, every record verified from the newest snapshot on. */
async function countRecords(folder: string): Promise<number> {
  const newest = await (await openSnapshots(folder, { network })).latest()
  const first = newest === null ? 0 : Number(newest.meta.toString())
  const { log, found } = await open(folder, newest === null ? {} : { from: newest.at })
  expectRecords(found, first)
  await log.close()
  return first + found.length
}

test('behavior: after kills at any instant every acknowledged record is there, in order, bit for bit', {
  timeout: 900_000,
}, async () => {
  const folder = await temporaryFolder()
  let count = 0
  let killedWriting = 0
  let byOutline = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const acknowledged = await writeUntilKilled(folder, kill % 4 === 3 ? 'from' : 'outline')
    const { count: found, outlined } = await countOutlined(folder, kill % 8 === 7)
    if (outlined > 0) byOutline++
    expect(await countRecords(folder)).toBe(found)
    expect(found).toBeGreaterThanOrEqual(Math.max(acknowledged, count))
    // Three lanes of at most four records each were in flight.
    if (acknowledged > 0) expect(found).toBeLessThanOrEqual(acknowledged + 12)
    if (acknowledged > count) killedWriting++
    count = found
  }
  expect(killedWriting).toBeGreaterThan(KILLS / 4)
  expect(byOutline).toBeGreaterThan(KILLS / 4)
  const names = await readdir(folder)
  expect(names.filter((name) => name.startsWith('chain-')).length).toBeGreaterThan(3)
  let number = 0
  const whole = await openLog(folder, {
    network,
    replay(record) {
      expectRecords([record], number)
      number++
    },
  })
  expect(number).toBe(count)
  const snapshots = await openSnapshots(folder, { network })
  expect((await snapshots.list()).length).toBeGreaterThanOrEqual(2)
  // A kill before the removal of older ones leaves too many: the next one that is complete removes them.
  await snapshots.write(whole, { at: whole.end, meta: Buffer.from(String(count)), payload: Buffer.alloc(10) })
  const older = totalBytes((await fileSizes(folder, 'snapshot-')).slice(0, -2))
  expect(older).toBeLessThanOrEqual(totalBytes(await fileSizes(folder, 'chain-')) / 4)
  await whole.close()
})
