// The log of the embedded chain against the bare disk: `npx tsx test/bench/chainLog.ts [folder]`. Appends per second,
// durable and not, one after the other and many at once; replay in MB per second and the memory it takes; the folder is
// made and removed, by default in the system's temporary one.

import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32c } from '../../server/cell/index.ts'
import { type ChainLog, type LogPosition, openLog, openSnapshots } from '../../server/devchain/log/index.ts'

const network = Buffer.from('bench')
const outer = await mkdtemp(join(process.argv[2] ?? tmpdir(), 'tonrpc-bench-'))
const seconds = (since: number): number => (performance.now() - since) / 1_000

function row(what: string, figure: number, unit: string, note = ''): void {
  console.log(`${what.padEnd(58)}${figure.toFixed(figure < 100 ? 1 : 0).padStart(9)} ${unit.padEnd(11)}${note}`)
}

/** Appends per second of `lanes` callers, each waiting for its answer before the next, for a second or so. */
async function appends(log: ChainLog, bytes: number, durable: boolean, lanes: number): Promise<number> {
  const payload = Buffer.alloc(bytes, 0xa5)
  const start = performance.now()
  let count = 0
  const lane = async () => {
    while (seconds(start) < 1.2) {
      await log.append([{ type: 1, payload }], { durable })
      count++
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return count / seconds(start)
}

/** The same without a log: one write and one fdatasync after the other. */
async function bareSyncs(bytes: number): Promise<number> {
  const file = await open(join(outer, 'bare'), 'w')
  const payload = Buffer.alloc(bytes, 0xa5)
  const start = performance.now()
  let count = 0
  for (; seconds(start) < 1.2; count++) {
    await file.write(payload)
    await file.datasync()
  }
  await file.close()
  return count / seconds(start)
}

async function writing(): Promise<void> {
  const log = await openLog(join(outer, 'writing'), { network })
  for (const bytes of [500, 10_000, 200_000]) {
    const bare = await bareSyncs(bytes)
    const alone = await appends(log, bytes, true, 1)
    row(`durable append of ${bytes} bytes`, alone, 'per s', `${(alone / bare).toFixed(2)} of bare write and fdatasync`)
    row('  64 at once', await appends(log, bytes, true, 64), 'per s')
    row('  not durable', await appends(log, bytes, false, 1), 'per s')
    row('  not durable, 64 at once', await appends(log, bytes, false, 64), 'per s')
  }
  await log.close()
}

/** Replays a log of `total` bytes made of records of one size. */
async function reading(total: number, bytes: number): Promise<void> {
  const folder = join(outer, `reading-${bytes}`)
  const payload = Buffer.alloc(bytes)
  for (let i = 0; i < bytes; i++) payload[i] = (i * 31) ^ (i >> 3)
  const log = await openLog(folder, { network })
  const positions: LogPosition[] = []
  for (let written = 0; written < total; written += bytes * 100) {
    const records = Array.from({ length: 100 }, () => ({ type: 1, payload }))
    positions.push(...(await log.append(records, { durable: false })))
  }
  await log.close()
  let start = performance.now()
  let peak = 0
  let count = 0
  const again = await openLog(folder, {
    network,
    replay() {
      if (++count % 100 === 0) peak = Math.max(peak, process.memoryUsage().rss)
    },
  })
  const rate = (count * (bytes + 12)) / 1e6 / seconds(start)
  row(
    `replay of ${Math.round(total / 1e6)} MB in records of ${bytes}`,
    rate,
    'MB/s',
    `${Math.round(peak / 1e6)} MB of memory at most`,
  )
  start = performance.now()
  const reads = 5_000
  for (let i = 0; i < reads; i++) {
    const at = positions[Math.floor(Math.random() * positions.length)]
    if (at !== undefined) await again.read(at)
  }
  row(`  one record anywhere`, reads / seconds(start), 'per s')
  await again.close()
  await rm(folder, { recursive: true })
}

async function snapshots(): Promise<void> {
  const folder = join(outer, 'snapshots')
  const log = await openLog(folder, { network })
  const store = await openSnapshots(folder, { network })
  const payload = Buffer.alloc(22_000_000, 7)
  let start = performance.now()
  await store.write(log, { at: log.end, meta: Buffer.alloc(0), payload })
  row('snapshot of 22 MB: write', seconds(start) * 1_000, 'ms')
  start = performance.now()
  for await (const _ of (await store.latest())?.chunks() ?? []);
  row('  verify and read', seconds(start) * 1_000, 'ms')
  await log.close()
}

try {
  const large = Buffer.alloc(64_000_000, 3)
  const start = performance.now()
  crc32c(large)
  row('crc32c alone', 64 / seconds(start), 'MB/s')
  await writing()
  await reading(1e9, 10_000)
  await reading(2e8, 200)
  await reading(4e8, 500_000)
  await snapshots()
} finally {
  await rm(outer, { recursive: true, force: true })
}
