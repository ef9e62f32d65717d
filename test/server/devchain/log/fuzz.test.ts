import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChainLog, LogError, type LogRecord, openLog } from '../../../../server/devchain/log/index.ts'
import { expectRecords, network, open, recordsFrom, temporaryFolder } from './logSetup.ts'

const COUNT = 60

/** A log of several segments, either as closing leaves it or as a kill does. */
async function writtenLog(isKilled: boolean) {
  const folder = await temporaryFolder()
  const { log } = await open(folder, { segmentBytes: 7_000 })
  const starts: { number: number; segment: number }[] = []
  for (let number = 0; number < COUNT; number += 4) {
    const [first] = await log.append(recordsFrom(number, 4), { durable: number % 3 !== 0 })
    starts.push({ number, segment: first?.segment ?? 0 })
  }
  if (!isKilled) await log.close()
  const names = (await readdir(folder)).filter((name) => name.startsWith('chain-')).sort()
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })))
  await log.close()
  const inLast = starts.find(({ segment }) => segment === files.length)?.number ?? COUNT
  return { files, inLast }
}

const damage = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), place: fc.nat(), bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constant('cut' as const), place: fc.nat() }),
  fc.record({ kind: fc.constant('zeros' as const), place: fc.nat(), length: fc.integer({ min: 1, max: 9_000 }) }),
  fc.record({
    kind: fc.constant('noise' as const),
    place: fc.nat(),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  }),
  fc.record({ kind: fc.constant('append' as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 2_000 }) }),
  fc.record({ kind: fc.constant('remove' as const), place: fc.nat(), length: fc.integer({ min: 1, max: 5_000 }) }),
  fc.record({ kind: fc.constant('double' as const), place: fc.nat(), length: fc.integer({ min: 1, max: 5_000 }) }),
)

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never

function spoil(bytes: Buffer, wrong: Damage): Buffer {
  const at = 'place' in wrong ? wrong.place % bytes.length : bytes.length
  const copy = Buffer.from(bytes)
  if (wrong.kind === 'flip') copy.writeUInt8(copy.readUInt8(at) ^ (1 << wrong.bit), at)
  else if (wrong.kind === 'cut') return copy.subarray(0, at)
  else if (wrong.kind === 'zeros') copy.subarray(at, at + wrong.length).fill(0)
  else if (wrong.kind === 'noise') copy.set(wrong.bytes.subarray(0, copy.length - at), at)
  else if (wrong.kind === 'append') return Buffer.concat([copy, wrong.bytes])
  else if (wrong.kind === 'remove') return Buffer.concat([copy.subarray(0, at), copy.subarray(at + wrong.length)])
  else return Buffer.concat([copy.subarray(0, at), copy.subarray(at, at + wrong.length), copy.subarray(at)])
  return copy
}

test.each([false, true])(
  'behavior: whatever happens to its files, a log is refused or is a prefix of what was written (killed: %s)',
  async (isKilled) => {
    const { files, inLast } = await writtenLog(isKilled)
    expect(files.length).toBeGreaterThan(3)
    const folder = await temporaryFolder()
    const outcomes = { refused: 0, prefix: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.nat(),
        fc.array(damage, { minLength: 1, maxLength: 2 }),
        async (isLast, pick, wrongs) => {
          const spoilt = isLast ? files.length - 1 : pick % files.length
          const contents = files.map(({ bytes }, i) =>
            i === spoilt ? wrongs.reduce<Buffer>((all, one) => (all.length ? spoil(all, one) : all), bytes) : bytes,
          )
          await rm(folder, { recursive: true, force: true })
          await mkdir(folder)
          await Promise.all(files.map(({ name }, i) => writeFile(join(folder, name), contents[i] ?? '')))
          const isSame = files[spoilt]?.bytes.equals(contents[spoilt] ?? Buffer.alloc(0)) === true
          const found: LogRecord[] = []
          const log = await openLog(folder, { network, replay: (record) => void found.push(record) }).catch(
            (error: unknown) => error,
          )
          expectRecords(found)
          if (log instanceof Error) {
            expect(log).toBeInstanceOf(LogError)
            expect(isSame).toBe(false)
            outcomes.refused++
            return
          }
          outcomes.prefix++
          // What is lost can only be the end of the last file.
          expect(found.length).toBeGreaterThanOrEqual(isSame ? COUNT : inLast)
          if (spoilt < files.length - 1) expect(isSame).toBe(true)
          const read: LogRecord[] = []
          const again = log as ChainLog
          for (const { at } of found) read.push(await again.read(at))
          expectRecords(read)
          await again.append(recordsFrom(found.length, 2), { durable: true })
          await again.close()
        },
      ),
      { numRuns: 250 },
    )
    expect(outcomes.refused).toBeGreaterThan(20)
    expect(outcomes.prefix).toBeGreaterThan(20)
  },
)

test('behavior: a log that was closed in peace loses no bit unnoticed', async () => {
  const { files, inLast } = await writtenLog(false)
  const folder = await temporaryFolder()
  await mkdir(folder)
  await Promise.all(files.map(({ name, bytes }) => writeFile(join(folder, name), bytes)))
  const last = files.at(-1) ?? { name: '', bytes: Buffer.alloc(0) }
  expect(inLast).toBeLessThan(COUNT)
  await fc.assert(
    fc.asyncProperty(fc.nat(last.bytes.length - 1), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
      await writeFile(join(folder, last.name), spoil(last.bytes, { kind: 'flip', place: at, bit }))
      let count = 0
      const log = await openLog(folder, { network, replay: () => void count++ }).catch((error: unknown) => error)
      // The mark at the end is all that may go.
      if (log instanceof Error) expect(log).toBeInstanceOf(LogError)
      else {
        expect(count).toBe(COUNT)
        expect(at).toBeGreaterThanOrEqual(last.bytes.length - 12)
        await (log as ChainLog).close()
      }
    }),
    { numRuns: 150 },
  )
  await rm(folder, { recursive: true })
})

test('behavior: segments that changed places are refused', async () => {
  const { files } = await writtenLog(false)
  const folder = await temporaryFolder()
  await mkdir(folder)
  await Promise.all(files.map(({ name, bytes }) => writeFile(join(folder, name), bytes)))
  const [one, two] = files.map(({ name }) => join(folder, name))
  await copyFile(one ?? '', two ?? '')
  await expect(open(folder)).rejects.toMatchObject({ code: 'foreign' })
})
