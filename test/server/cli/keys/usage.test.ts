// What `tonrpc keys usage` prints of a folder with many keys.

import { expect, test } from 'vitest'
import { createFileUsageStore, dayOf } from '../../../../server/access/index.ts'
import { keysCommand } from '../../../../server/cli/keys/command.ts'
import { temporaryFolder } from '../../access/temporaryFolder.ts'

/** More than one call of a function takes arguments. */
const KEYS = 150_000

test('the usage of so many keys is shown, a line each', async () => {
  const data = await temporaryFolder()
  const counts = { calls: 1, weight: 1, errors: 0, limited: 0, bytes: 1 }
  const day = dayOf(Date.now())
  const usage = Array.from({ length: KEYS }, (_, i) => ({ day, keyId: `key${i}`, method: 'shards', ...counts }))
  await createFileUsageStore(data).add({ writer: 'test', number: 1, usage, months: [] })
  const out: string[] = []
  const err: string[] = []
  const io = {
    env: { TONRPC_DATA: data },
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  }
  const code = await keysCommand.run(['usage', '--days', '2'], io)
  expect([code, err]).toEqual([0, []])
  expect(out).toHaveLength(KEYS + 1)
})
