// A data folder that is removed under a running service, or that another user has written.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call } from '../../setup/commands.ts'
import { mainFile, run, startBuilt } from '../../setup/runningService.ts'

test('ends it with a line, so that nothing is acknowledged and not kept, and nothing written into the next one', async () => {
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
    // An idle chain has its second block five seconds later.
    await using next = await startBuilt([...args, '--mining', 'manual'])
    expect(await call(next.url, 'getMasterchainInfo', {})).toMatchObject({ last: { seqno: 1 } })
  } finally {
    await rm(top, { recursive: true, force: true, maxRetries: 20 })
  }
})

test.runIf(process.platform === 'linux')(
  'a chain that another user has written: one line that names the file, and not the port',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'tonrpc-foreign-'))
    try {
      await mkdir(join(data, 'chain'))
      const key = join(data, 'chain/validator.key')
      await writeFile(key, '0'.repeat(64), { mode: 0o000 })
      // The superuser reads everything, unless it gives up that right.
      const user = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
      const [command = '', ...args] = [...user, process.execPath, mainFile, '--port', '0', '--data', data]
      await using started = run(command, args)
      expect((await started.ended).code).toBe(1)
      expect(started.stderr()).toBe(
        `tonrpc: ${key} cannot be read or written by this user: give it the whole data folder, or choose another with --data\n`,
      )
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  },
)
