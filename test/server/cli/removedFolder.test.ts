// A data folder that is removed under a running service.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../../setup/commands.ts'
import { startBuilt } from '../../setup/runningService.ts'

const LIMIT_MS = 60_000

test('ends it with a line, so that nothing is acknowledged and not kept, and nothing written into the next one', {
  timeout: 2 * LIMIT_MS,
}, async () => {
  const top = await mkdtemp(join(tmpdir(), 'tonrpc-removed-'))
  const args = ['--data', join(top, 'data'), '--seed', 'none']
  try {
    await using service = await startBuilt(args)
    const give = () => call(service.url, 'dev.faucet', { address: `0:${'1'.repeat(64)}`, amount: '1' })
    await give()
    await rm(join(top, 'data'), { recursive: true, force: true, maxRetries: 20 })
    expect(await service.ended).toMatchObject({ code: 1 })
    expect(service.stderr()).toMatch(
      /"folder":".*data\/(chain|index)".*the data folder was removed or taken while it was/,
    )
    await expect(give()).rejects.toThrow()
    await using next = await startBuilt(args)
    expect(await call(next.url, 'getMasterchainInfo', {})).toMatchObject({ last: { seqno: 1 } })
  } finally {
    await rm(top, { recursive: true, force: true, maxRetries: 20 })
  }
})
