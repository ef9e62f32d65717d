// The drill: a service that is being written to is backed up, and what comes back has all that was acknowledged before.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, ended, tonrpc } from '../../setup/commands.ts'
import { mainFile, type RunningService, run, startBuilt } from '../../setup/runningService.ts'

interface Sent {
  readonly tx_hash: string
  readonly seqno: number
}

describe('the data folder of a running service', () => {
  let top = ''
  let service: RunningService
  const path = (name: string): string => join(top, name)
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'tonrpc backup-'))
    service = await startBuilt(['--data', path('data')])
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await rm(top, { recursive: true, force: true, maxRetries: 5 })
  })

  const give = (i: number): Promise<Sent> =>
    call(service.url, 'dev.faucet', { address: `0:${i.toString(16).padStart(64, '0')}`, amount: '1000000000' })

  /** Sends one after the other until `work` is done; resolves with its result and what was acknowledged before it began. */
  async function whileSending<T>(work: () => Promise<T>) {
    const before: Sent[] = []
    for (let i = 1; i <= 5; i++) before.push(await give(i))
    let isDone = false
    let during = 0
    const sending = (async () => {
      while (!isDone) {
        await give(1_000 + during)
        during++
      }
    })()
    const result = await work().finally(() => {
      isDone = true
    })
    await sending
    return { result, before, during }
  }

  test('is copied while blocks are made, and comes back whole', async () => {
    const { result, before, during } = await whileSending(() => ended('backup', path('copy'), '--data', path('data')))
    expect(result).toMatchObject({ code: 0, out: expect.stringMatching(/^Copied \d+ files, .* MB, to .*copy\.\n/) })
    expect(during).toBeGreaterThan(0)
    expect(existsSync(path('copy/index/postgres/PG_VERSION'))).toBe(true)
    const back = await ended('restore', path('copy'), '--data', path('back'))
    expect(back).toMatchObject({ code: 0, out: expect.stringMatching(/All of them are what was copied/) })
    // The folder has a space, and the lines are there to be copied.
    expect(result.out).toContain(`tonrpc restore "${path('copy')}" --data FOLDER`)
    expect(back.out).toContain(`tonrpc --data "${path('back')}" --network devnet`)
    await using second = await startBuilt(['--data', path('back')])
    const indexed = await call<{ last: { seqno: number } }>(second.url, 'v3.masterchainInfo', {})
    expect(indexed.last.seqno).toBeGreaterThan(0)
    for (const { tx_hash, seqno } of before) {
      const url = `${second.url}/api/v3/transactions?hash=${encodeURIComponent(tx_hash)}`
      const headers = { 'X-Min-Seqno': String(seqno) }
      const read = async (): Promise<unknown> => await (await fetch(url, { headers })).json()
      // A call waits for two seconds; a busy machine takes longer for the blocks that the copy of the index lacks.
      await expect.poll(read).toMatchObject({ transactions: [{ hash: tx_hash }] })
      const block = { workchain: -1, shard: '-9223372036854775808', seqno: seqno }
      const [here, there] = await Promise.all(
        [service, second].map(({ url }) => call<{ root_hash: string }>(url, 'lookupBlock', block)),
      )
      expect(here?.root_hash).toBe(there?.root_hash)
    }
    expect(second.stderr()).not.toMatch(/damaged|set aside/)
  })

  test('a command that is killed in the middle leaves nothing, and the next one is made', async () => {
    {
      await using command = tonrpc('backup', path('cut'), '--data', path('data'))
      await command.says(/copying: index/)
      command.child.kill('SIGKILL')
      await command.ended
    }
    await service.says(/backup failed|"to":"[^"]*cut","copy":"data".*backup finished/)
    const names = await readdir(top)
    expect(names.filter((name) => name.endsWith('.partial'))).toEqual([])
    // It may have been finished before the kill.
    if (names.includes('cut')) return
    expect(await ended('backup', path('cut'), '--data', path('data'))).toMatchObject({ code: 0 })
  })

  test('only its user can ask for a copy', async () => {
    const { port } = JSON.parse(await readFile(path('data/control.json'), 'utf8')) as { port: number }
    for (const token of ['', 'Bearer ', `Bearer ${'0'.repeat(64)}`]) {
      const headers = { Authorization: token }
      const body = JSON.stringify({ copy: 'data', to: path('stolen') })
      const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
      expect(reply.status).toBe(403)
    }
    expect(existsSync(path('stolen'))).toBe(false)
  })

  test('error: a folder inside of it, one that holds something, no backup', async () => {
    const refused = async (to: string) => {
      const { code, err } = await ended('backup', to, '--data', path('data'))
      expect(code).toBe(1)
      return err.split('\n').find((line) => line.startsWith('tonrpc:'))
    }
    expect(await refused(path('data/copy'))).toMatch(/no backup was made: .* is inside of the data folder/)
    expect(await refused(top)).toMatch(/is not empty: name a new folder$/)
    const mistyped = await ended('backup', path('nowhere'), '--data', path('dta'))
    expect(mistyped).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no backup was made: .*dta holds nothing to copy/),
    })
    expect(existsSync(path('nowhere'))).toBe(false)
    const back = await ended('restore', path('nothing'), '--data', path('other'))
    expect(back).toMatchObject({ code: 1, err: expect.stringMatching(/nothing was restored: .*is no finished backup/) })
  })

  test('after a kill the command makes the copy itself; without space it says so', async () => {
    service.child.kill('SIGKILL')
    await service.ended
    // Another program has its port meanwhile, and answers everything.
    const { port } = JSON.parse(await readFile(path('data/control.json'), 'utf8')) as { port: number }
    const other = createServer((_, res) => void res.end('<p>hello')).listen(port, '127.0.0.1')
    await once(other, 'listening')
    expect(await ended('backup', path('beside'), '--data', path('data'))).toMatchObject({ code: 0 })
    other.close()
    expect(await ended('backup', path('cold'), '--data', path('data'))).toMatchObject({ code: 0 })
    if (process.platform === 'linux') {
      await using limited = run('prlimit', [
        '--fsize=65536',
        process.execPath,
        mainFile,
        'backup',
        path('full'),
        '--data',
        path('data'),
      ])
      expect(await limited.ended).toMatchObject({ code: 1 })
      expect(limited.stderr()).toMatch(/no backup was made: .*full: a file is larger than/)
      expect((await readdir(top)).filter((name) => name.startsWith('full'))).toEqual([])
    }
    expect(await ended('restore', path('cold'), '--data', path('again'))).toMatchObject({ code: 0 })
  })
})
