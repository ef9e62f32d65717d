// What `tonrpc keys usage` prints.

import { expect, onTestFinished, test, vi } from 'vitest'
import { type CountedUsage, createFileUsageStore, dayOf } from '../../../../server/access/index.ts'
import { keysCommand } from '../../../../server/cli/keys/command.ts'
import { temporaryFolder } from '../../access/temporaryFolder.ts'

async function said(data: string, ...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const io = {
    env: { TONRPC_DATA: data },
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  }
  return { code: await keysCommand.run(argv, io), out, err }
}

const shown = (data: string, ...argv: string[]) => said(data, 'usage', ...argv)

/** More than one call of a function takes arguments. */
const KEYS = 150_000

test('the usage of so many keys is shown, a line each', async () => {
  const data = await temporaryFolder()
  const counts = { calls: 1, weight: 1, errors: 0, limited: 0, bytes: 1 }
  const day = dayOf(Date.now())
  const usage = Array.from({ length: KEYS }, (_, i) => ({ day, keyId: `key${i}`, method: 'shards', ...counts }))
  await createFileUsageStore(data).add({ writer: 'test', number: 1, usage, months: [] })
  const { code, out, err } = await shown(data, '--days', '2')
  expect([code, err]).toEqual([0, []])
  expect(out).toHaveLength(KEYS + 1)
})

test('calls are summed by key, the heaviest first, or listed by day and method of one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 9, 12, 12) })
  onTestFinished(() => void vi.useRealTimers())
  const data = await temporaryFolder()
  const row = (day: string, keyId: string, method: string, first: number): CountedUsage => {
    const counts = { calls: first, weight: 2 * first, errors: 3 * first, limited: 4 * first, bytes: 5 * first }
    return { day, keyId, method, ...counts }
  }
  const usage = [
    row('2026-10-10', 'light', 'shards', 1000),
    row('2026-10-11', 'light', 'shards', 1),
    row('2026-10-11', 'heavy', 'shards', 10),
    row('2026-10-12', 'light', 'shards', 2),
    row('2026-10-12', 'light', 'getAddressBalance', 4),
    row('2026-10-12', '', 'shards', 9),
  ]
  await createFileUsageStore(data).add({ writer: 'test', number: 1, usage, months: [] })
  const cells = async (...argv: string[]) => (await shown(data, ...argv)).out.map((line) => line.split(/ {2,}/))
  const HEADS = ['CALLS', 'WEIGHT', 'ERRORS', 'LIMITED', 'BYTES']
  expect(await cells('--days', '2')).toEqual([
    ['KEY', ...HEADS],
    ['heavy', '10', '20', '30', '40', '50'],
    ['(no key)', '9', '18', '27', '36', '45'],
    ['light', '7', '14', '21', '28', '35'],
  ])
  expect(await cells('--days', '2', '--key', 'light')).toEqual([
    ['DAY', 'METHOD', ...HEADS],
    ['2026-10-11', 'shards', '1', '2', '3', '4', '5'],
    ['2026-10-12', 'getAddressBalance', '4', '8', '12', '16', '20'],
    ['2026-10-12', 'shards', '2', '4', '6', '8', '10'],
  ])
})

test('a key without calls has none, and an id of no key is refused', async () => {
  const data = await temporaryFolder()
  const made = await said(data, 'create', '--plan', 'free', '--json')
  const { id }: { id: string } = JSON.parse(made.out.join(''))
  const own = await shown(data, '--key', id)
  expect(own).toMatchObject({ code: 0, out: [expect.stringMatching(/^No calls from /)], err: [] })
  const none = await shown(data, '--key', 'nothere')
  expect(none).toMatchObject({
    code: 1,
    out: [],
    err: [expect.stringMatching(/no key with the id "nothere".*keys list/)],
  })
})
