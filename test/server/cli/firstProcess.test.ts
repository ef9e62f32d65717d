// The service as the first process of a container, which no signal ends by itself.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mainFile, run } from '../../setup/runningService.ts'

const FIRST = ['--pid', '--fork', '--kill-child']
const canBeFirst = spawnSync('unshare', [...FIRST, 'true']).status === 0

test.runIf(canBeFirst).each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a start that waits for its database',
  async (signal) => {
    const data = await mkdtemp(join(tmpdir(), 'tonrpc-first-'))
    onTestFinished(() => rm(data, { recursive: true, force: true }))
    // It takes connections, and answers nothing.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const settings = ['--port', '0', '--data', data, '--database', `postgres://user@127.0.0.1:${port}/name`]
    const connected = once(silent, 'connection')
    await using service = run('unshare', [...FIRST, process.execPath, mainFile, ...settings])
    await connected
    const outer = service.child.pid ?? 0
    process.kill(Number(await readFile(`/proc/${outer}/task/${outer}/children`, 'utf8')), signal)
    const served = service.says(/tonrpc .* serves/).then(() => 'serves')
    expect(await Promise.race([service.ended.then(({ code }) => code), served.catch(() => 'never')])).toBe(
      signal === 'SIGTERM' ? 143 : 130,
    )
  },
)
