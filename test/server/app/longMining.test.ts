// Blocks that take longer to make than a call may take: the call that makes them waits for all of them.

import { expect, test } from 'vitest'
import { call, post, STRICT } from '../../setup/calls.ts'
import { serve } from '../../setup/service.ts'

const BLOCKS = 100

test('dev.mine: is answered when all blocks are made, however long that takes', async () => {
  await using service = await serve({ config: { mining: 'manual', callMs: 50 } })
  const { body } = await post(service, STRICT, call('dev.mine', { blocks: BLOCKS }))
  expect(body.error).toBeUndefined()
  expect((body.result as { readonly seqno: number }).seqno).toBeGreaterThanOrEqual(BLOCKS)
})
