// `tonrpc doctor` over a lite server that keeps the beginning of the chain and its end, and not what lies between.

import { afterAll, expect, test } from 'vitest'
import { LiteError, type LiteServer } from '../../../../server/node/index.ts'
import { openDoctorScene } from './doctorScene.ts'

const { scene, listen, examine, close } = await openDoctorScene()
afterAll(close)

const GAP_ENDS = 400

test('behavior: a server that keeps the first blocks and the newest ones does not have all of them', async () => {
  await scene.chain.control.mine(1_200)
  const withGap: LiteServer = {
    ...scene.lite,
    lookup: (query, mode, options) => {
      const seqno = 'seqno' in query ? query.seqno : 0
      if (seqno > 5 && seqno < GAP_ENDS) throw new LiteError('notReady', 'block is not in db')
      return scene.lite.lookup(query, mode, options)
    },
  }
  const { code, out } = await examine([await listen(withGap)], '--json')
  expect(code).toBe(0)
  const [{ oldest }] = JSON.parse(out).servers
  expect(oldest).toBeGreaterThanOrEqual(GAP_ENDS)
  expect(oldest).toBeLessThan(GAP_ENDS + 20)
}, 300_000)
