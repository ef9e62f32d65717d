// Worker processes that do not behave, in the place of real ones.

import { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CHANNEL, teamOf } from '../../setup/scriptedTeam.ts'

test('a worker starts after the folder in which the service was started has been removed', async () => {
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  const gone = await mkdtemp(join(tmpdir(), 'tonrpc-gone-'))
  process.chdir(gone)
  await rm(gone, { recursive: true })
  const { team } = await teamOf(`process.cwd(); process.on('message', () => process.send('ready'))`)
  await expect.poll(() => team.ready).toBe(1)
})

test('a worker that answers no more is ended and started again', async () => {
  // Half a minute to begin.
  const { team, lines } = await teamOf(`process.on('message', () => process.send('ready'))`, 500)
  await expect.poll(() => team.restarts).toBeGreaterThan(0)
  expect(lines.slice(0, 2)).toEqual([
    'worker process stuck: it is ended',
    'worker process ended: its connections are lost',
  ])
})

test('a worker that hangs before it is ready is ended and started again', async () => {
  const { team, lines } = await teamOf('setInterval(() => undefined, 1000)', 2)
  await expect.poll(() => team.restarts).toBeGreaterThan(0)
  expect(lines[0]).toBe('worker process is not ready after all this time: it is ended')
})

/** Workers that report one counted call; after it they act as `then` says. */
function countingTeam(then: string) {
  return teamOf(`
    import { spawn } from 'node:child_process'
    import { Socket } from 'node:net'
    import { createChannel } from ${JSON.stringify(CHANNEL)}
    const one = { ok: 1, outcomes: new Map(), buckets: new Float64Array(8), sumMs: 2, newest: new Map() }
    let asked = 0
    const counts = () => {
      asked++
      ${then}
      return { methods: [['one', one]], gauges: [['two', 3]], totals: [['three', 1]], rssBytes: 1, cpuSeconds: 1 }
    }
    process.on('message', () => {
      createChannel({ stream: new Socket({ fd: 4 }), answers: { counts }, takes: {}, onError: () => undefined })
      process.send('ready')
    })`)
}

test.each([
  ['as planned', [], '', 48],
  ['as this process was told to have', ['--max-semi-space-size=8'], '', 8],
  ['as the environment says, which it inherits', [], '--max-semi-space-size=8', 0],
])('a worker has room for what was just made %s', async (_, flags, options, told) => {
  const { execArgv } = process
  process.execArgv = flags
  vi.stubEnv('NODE_OPTIONS', options)
  onTestFinished(() => {
    process.execArgv = execArgv
    vi.unstubAllEnvs()
  })
  const { team } = await countingTeam(
    `one.ok = Number(/--max-semi-space-size=(\\d+)/.exec(process.execArgv.join())?.[1] ?? 0)`,
  )
  const all = async () => (await team.counts()).flatMap(({ methods }) => methods.map(([, { ok }]) => ok))
  await expect.poll(all).toEqual([told])
})

test('what workers that have ended had counted is one sum, however many there were', async () => {
  const { team } = await countingTeam('setTimeout(() => process.exit(1), 100)')
  const all = async () => (await team.counts()).flatMap(({ methods }) => methods.map(([, { ok }]) => ok))
  await expect.poll(async () => (await all()).reduce((sum, ok) => sum + ok, 0)).toBeGreaterThan(3)
  expect((await all()).length).toBeLessThanOrEqual(2)
  const totals = (await team.counts()).flatMap((counts) => counts.totals)
  expect(totals.length).toBeLessThanOrEqual(2)
  expect(totals.reduce((sum, [, value]) => sum + value, 0)).toBeGreaterThan(3)
})

test('a worker that ends while it is asked for its counts is counted once', async () => {
  // Its pipe stays open for some seconds: that it has ended is heard before the call fails.
  const { team } = await countingTeam(`if (asked > 1) {
    spawn('sleep', ['10'], { stdio: ['ignore', 'ignore', 'ignore', 'ignore', 4] })
    process.exit(1)
  }`)
  const sum = async () =>
    (await team.counts()).flatMap(({ totals }) => totals).reduce((all, [, value]) => all + value, 0)
  await expect.poll(sum).toBe(1)
  expect(await sum()).toBe(1)
})

test('a worker that ends at its start is started again, later each time, and never gets a connection', async () => {
  const { team, lines } = await teamOf('process.exit(3)')
  await expect.poll(() => team.restarts).toBeGreaterThan(2)
  expect(team.ready).toBe(0)
  expect(new Set(lines)).toEqual(new Set(['worker process ended: its connections are lost']))
})

test('a worker that cannot be started, as while Node is being replaced, is tried again', async () => {
  const { execPath } = process
  onTestFinished(() => {
    process.execPath = execPath
  })
  const { team, lines } = await countingTeam('if (asked > 1) process.exit(1)')
  await expect.poll(() => team.ready).toBe(1)
  process.execPath = join(tmpdir(), 'no-node-is-here')
  await expect
    .poll(async () => {
      await team.counts()
      return lines
    })
    .toContain('worker process failed')
  expect(team.ready).toBe(0)
  process.execPath = execPath
  await expect.poll(() => team.ready).toBe(1)
})

test('connections that a worker never took end with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-stuck-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // It takes no message after its first one, and ends when there is a file.
  const { team } = await teamOf(`
    import { existsSync } from 'node:fs'
    const still = new Int32Array(new SharedArrayBuffer(4))
    process.once('message', () =>
      process.send('ready', () => {
        while (!existsSync(${JSON.stringify(join(folder, 'end'))})) Atomics.wait(still, 0, 0, 10)
        process.exit(1)
      }),
    )`)
  await expect.poll(() => team.ready).toBe(1)
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const connected = async () => {
    const accepted = once(server, 'connection')
    const caller = connect((server.address() as AddressInfo).port, '127.0.0.1')
    caller.on('error', () => undefined).resume()
    const [socket] = (await accepted) as [Socket]
    const address = '127.0.0.1'
    const seat = { remote: address, address, network: '', exempt: null, owner: null, isSocket: false, usedAt: null }
    return { caller, isHanded: team.handOver(socket, { ...seat, isIdle: () => false, refuse: () => undefined }) }
  }
  const all = [await connected(), await connected(), await connected()]
  onTestFinished(() => {
    for (const { caller } of all) caller.destroy()
  })
  // The first is served by this process.
  expect(all.map(({ isHanded }) => isHanded)).toEqual([false, true, true])
  await writeFile(join(folder, 'end'), '')
  await expect.poll(() => all.map(({ caller }) => caller.closed)).toEqual([false, true, true])
})

/** A worker that is starting until there is a file `go`, and leaves a file `told` when it is told anything before. */
async function startingTeam() {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-starting-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = (name: string): string => join(folder, name)
  const { team } = await teamOf(`
    import { existsSync, writeFileSync } from 'node:fs'
    import { Socket } from 'node:net'
    import { createChannel } from ${JSON.stringify(CHANNEL)}
    const told = () => writeFileSync(${JSON.stringify(path('told'))}, '')
    process.on('message', () => {
      const takes = { barred: told, drain: () => process.exit(told()), event: () => undefined }
      createChannel({ stream: new Socket({ fd: 4 }), answers: {}, takes, onError: () => undefined })
      writeFileSync(${JSON.stringify(path('begun'))}, '')
      const look = setInterval(() => {
        if (!existsSync(${JSON.stringify(path('go'))})) return
        clearInterval(look)
        process.send('ready')
      }, 20)
    })`)
  await expect.poll(() => existsSync(path('begun'))).toBe(true)
  return { team, wasTold: () => existsSync(path('told')), go: () => writeFile(path('go'), '') }
}

test('a worker that is starting is not told who is barred: it could not bar anyone yet', async () => {
  const { team, go, wasTold } = await startingTeam()
  team.bar({ subject: '10.0.0.1', ms: 1_000 })
  await go()
  await expect.poll(() => team.ready).toBe(1)
  expect(wasTold()).toBe(false)
})

test('a stop ends a worker that is starting: it has nothing to finish', async () => {
  const { team, wasTold } = await startingTeam()
  await team.close(60_000)
  expect(wasTold()).toBe(false)
})

test('a stop does not wait for ever for a worker that no signal ends', async () => {
  const { team } = await teamOf(`process.on('message', () => process.send('ready'))`)
  await expect.poll(() => team.ready).toBe(1)
  const refused = vi.spyOn(ChildProcess.prototype, 'kill').mockImplementationOnce(function (this: ChildProcess) {
    return !this.emit('error', new Error('kill EPERM'))
  })
  onTestFinished(() => refused.mockRestore())
  await team.close(50)
  expect(refused.mock.results.map(({ value }) => value)).toEqual([false])
})
