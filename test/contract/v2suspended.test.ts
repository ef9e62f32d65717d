// Accounts that the chain's configuration suspends: v2 reports them with `suspended: true`.

import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { dictBytesKey, dictKind, emptyDict, readBoc, unitValue } from '../../server/cell/index.ts'
import { messageOf } from '../../server/demo/index.ts'
import { storeConfigParam } from '../../server/tlb/index.ts'
import { serve } from '../setup/service.ts'

const PARAM = 44
const CONFIG = `-1:${'5'.repeat(64)}`
const LISTED = `0:${'44'.repeat(32)}`
const OTHER = `0:${'45'.repeat(32)}`

const listKey = (fill: number): Uint8Array => new Uint8Array(36).fill(fill, 4)

test('an account that is listed is suspended, from the block the configuration says so', async () => {
  await using service = await serve()
  const client = createClient({ url: service.url, retry: false, timeoutMs: 300_000 })
  const suspended = async (address: string, seqno?: number) =>
    (await client.getAddressInformation(seqno === undefined ? { address } : { address, seqno })).suspended
  expect(await suspended(LISTED)).toBe(false)

  const before = (await client.getMasterchainInfo()).last.seqno
  const { utime } = await client.dev.state()
  const addresses = emptyDict(dictKind(dictBytesKey(288), unitValue)).set(listKey(0x44), true)
  const value = storeConfigParam(PARAM, { addresses, suspendedUntil: utime + 86_400 })
  const { data } = await client.getAddressInformation({ address: CONFIG })
  const act = { by: 'config', change: { kind: 'parameter', index: PARAM, value } } as const
  const message = messageOf(act, { data: readBoc(Buffer.from(data, 'base64')), utime })
  await client.sendBoc({ boc: Buffer.from(message).toString('base64') })
  await expect.poll(() => suspended(LISTED)).toBe(true)
  expect(await suspended(OTHER)).toBe(false)
  expect(await suspended(LISTED, before)).toBe(false)
})
