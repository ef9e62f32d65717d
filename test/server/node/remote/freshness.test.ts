import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import { configOwnerKey } from '../../../../server/devchain/accounts/index.ts'
import { createSigner } from '../../../../server/devchain/accounts/signing.ts'
import { configRequest } from '../../../../server/devchain/contracts/index.ts'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createDevchainLiteServer, type DevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import { Trust } from '../../../../server/node/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'

const TIMING = 15

let chain: Devchain
let pool: TvmPool
let lite: DevchainLiteServer
beforeAll(async () => {
  chain = await openDevchain({ mining: 'manual' })
  pool = await createTvmPool({ workers: 1 })
  lite = createDevchainLiteServer(chain, { pool })
  const change = { kind: 'parameter', index: TIMING, value: beginCell().storeUint(0xabcdef, 24).end() } as const
  const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
  const validUntil = chain.reader.moment().master.utime + 1000
  await chain.send(writeBoc(configRequest({ change, seqno: 0, validUntil, sign })))
  await chain.control.mine(2)
})
afterAll(async () => {
  lite.close()
  await pool.close()
  await chain.close()
})

const trustAt = (seconds: number): Trust => {
  const zerostate = chain.reader.zerostates.master.id
  return new Trust(lite, { start: { zerostate, block: zerostate }, clock: () => seconds * 1000 })
}

test('a chain whose terms of validators mean nothing is followed while its validators are in office', async () => {
  const { id, utime } = chain.head().master
  expect((await trustAt(utime).read()).id).toEqual(id)
})

test('error: the same once they are long over', async () => {
  await expect(trustAt(2 ** 33).read()).rejects.toMatchObject({ message: expect.stringContaining('--trust-stale') })
})
