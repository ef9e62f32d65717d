// The threads of the index when they cannot be started: a machine may be out of memory for a moment.

import { serializeTuple } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { expect, test, vi } from 'vitest'
import { openIndexPool } from '../../../../server/app/database/indexPool.ts'
import { createLog } from '../../../../server/observe/index.ts'
import { createConfig, createTvmPool } from '../../../../server/tvm/index.ts'
import { alice, boc, code } from '../../tvm/contracts.ts'
import { now } from '../../tvm/corpus.ts'

const config = createConfig(defaultConfig)
const stack = boc(serializeTuple([{ type: 'int', value: 1n }]))
const run = { code: boc(code.echo), data: boc(code.echo), address: alice.toRawString(), balance: 1n, stack, now }

test('a start that failed is tried again, and does not keep the rest of a stop from being done', async () => {
  const start = vi.fn(createTvmPool).mockRejectedValueOnce(new RangeError('out of memory'))
  const pool = openIndexPool(createLog({ format: 'json', level: 'silent' }), start)
  const failing = pool.runGetMethod(config, { ...run, methodId: 5 })
  const closing = pool.close()
  await expect(failing).rejects.toThrow('out of memory')
  await closing
  expect(await pool.runGetMethod(config, { ...run, methodId: 5 })).toMatchObject({ exitCode: 0 })
  await pool.close()
})
