// What `tonrpc keys usage` prints: of a folder with many keys, of a key without calls, of no key.

import { expect, test } from 'vitest'
import { createFileUsageStore, dayOf } from '../../../../server/access/index.ts'
import { keysCommand } from '../../../../server/cli/keys/command.ts'
import { temporaryFolder } from '../../access/temporaryFolder.ts'

async function said(data: string, args: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  const io = {
    env: { TONRPC_DATA: data },
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  }
  return { code: await keysCommand.run(args, io), out, err }
}

/** More than one call of a function takes arguments. */
const KEYS = 150_000

test('the usage of so many keys is shown, a line each', async () => {
  const data = await temporaryFolder()
  const counts = { calls: 1, weight: 1, errors: 0, limited: 0, bytes: 1 }
  const day = dayOf(Date.now())
  const usage = Array.from({ length: KEYS }, (_, i) => ({ day, keyId: `key${i}`, method: 'shards', ...counts }))
  await createFileUsageStore(data).add({ writer: 'test', number: 1, usage, months: [] })
  const { code, out, err } = await said(data, ['usage', '--days', '2'])
  expect([code, err]).toEqual([0, []])
  expect(out).toHaveLength(KEYS + 1)
})

test('a key without calls has none, and an id of no key is refused', async () => {
  const data = await temporaryFolder()
  const made = await said(data, ['create', '--plan', 'free', '--json'])
  const { id }: { id: string } = JSON.parse(made.out.join(''))
  const own = await said(data, ['usage', '--key', id])
  expect(own).toMatchObject({ code: 0, out: [expect.stringMatching(/^No calls from /)], err: [] })
  const none = await said(data, ['usage', '--key', 'nothere'])
  expect(none).toMatchObject({
    code: 1,
    out: [],
    err: [expect.stringMatching(/no key with the id "nothere".*keys list/)],
  })
})
