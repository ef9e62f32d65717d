// Workers over a PostgreSQL, which they read themselves.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Caller, callerOfEach, callers } from '../../../setup/callers.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../../setup/database.ts'
import { startBuilt } from '../../../setup/runningService.ts'

describe.skipIf(!drivers.includes('postgres'))('a worker', () => {
  test('reads the index while the owner of the chain does nothing, and the same as the owner', async () => {
    const data = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
    const database = await emptyDatabase()
    {
      await using service = await startBuilt(['--data', data, '--workers', '3', '--database', database])
      const { url, child } = service
      const ready = async (): Promise<string> =>
        await (await fetch(`${url}/readyz`, { headers: { Connection: 'close' } })).text()
      while (!/"ready":true.*"2 of 2 ready"/.test(await ready())) await sleep(50)
      const path = '/api/v3/transactions?limit=20&sort=asc&mc_seqno=1'
      // Paths of streams are answered by the owner, on every connection.
      using relayed = new Caller(service)
      const { by: owner } = await relayed.get('/api/streaming/v2/nothing')
      const each = await callerOfEach(service, 3)
      const first = await Promise.all([...each.values()].map((one) => one.get(path)))
      for (const { status, text } of first) expect({ status, text }).toEqual({ status: 200, text: first[0]?.text })
      const ofWorkers = [...each].filter(([by]) => by !== owner).map(([, one]) => one)
      expect(ofWorkers).toHaveLength(2)
      process.kill(child.pid ?? 0, 'SIGSTOP')
      try {
        const others = await Promise.all(ofWorkers.map((one) => one.get(`${path}&offset=1`)))
        for (const { status, text } of others) expect({ status, text }).toEqual({ status: 200, text: others[0]?.text })
      } finally {
        process.kill(child.pid ?? 0, 'SIGCONT')
        for (const one of each.values()) one[Symbol.dispose]()
      }
    }
    await dropDatabase(database)
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  })

  test('shows no earlier block of the index after another process has shown a later one', async () => {
    const data = await mkdtemp(join(tmpdir(), 'tonrpc-workers-'))
    const database = await emptyDatabase()
    {
      const words = ['--data', data, '--workers', '3', '--database', database, '--seed', 'none', '--mining', 'manual']
      await using service = await startBuilt(words)
      const { url } = service
      while (!/"ready":true.*"2 of 2 ready"/.test(await (await fetch(`${url}/readyz`)).text())) await sleep(50)
      let isOver = false
      const mine = async (): Promise<void> => {
        using owner = new Caller(service)
        for (let i = 0; i < 60; i++) expect(await owner.ask('dev.mine', { blocks: 1 })).toMatchObject({ ok: true })
        isOver = true
      }
      // Each caller asks one thing after another, over several connections.
      const newest = [
        ['/api/v3/masterchainInfo', /"last":.*?"seqno":(\d+)/],
        ['/api/v3/blocks?workchain=-1&limit=1&sort=desc', /"seqno":(\d+)/],
      ] as const
      const steps = async (number: number): Promise<string[]> => {
        using all = callers(service, 5)
        const found: string[] = []
        let last = 0
        for (let i = number; !isOver; i++) {
          const [path, place] = newest[i % 2] ?? newest[0]
          const seqno = Number(place.exec((await all[i % 5]?.get(path))?.text ?? '')?.[1])
          if (!(seqno >= last)) found.push(`${seqno} after ${last}`)
          last = seqno
        }
        return found
      }
      const [, ...found] = await Promise.all([mine(), ...Array.from({ length: 6 }, (_, number) => steps(number))])
      expect(found.flat()).toEqual([])
    }
    await dropDatabase(database)
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  })
})
