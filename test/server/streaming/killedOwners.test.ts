// A service that is killed while an item goes from owner to owner: who follows its collection, or all accounts, hears of each change
// once.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginCell } from '@ton/core'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { stream } from '../../../client/ws.ts'
import { ask } from '../../setup/calls.ts'
import { freePort } from '../../setup/freePort.ts'
import { startBuilt } from '../../setup/runningService.ts'
import { eventually, type Frame } from '../../setup/streams.ts'

const KILLS = 2
const MOVES = 4
const person = (n: number) => `0:${n.toString(16).toUpperCase().padStart(2, '0').repeat(32)}`

/** A transfer (TEP-62). */
const bodyTo = (owner: string): string =>
  beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(1, 64)
    .storeUint(4, 3)
    .storeInt(0, 8)
    .storeBuffer(Buffer.from(owner.slice(2), 'hex'))
    .storeUint(0, 2 + 1 + 4 + 1)
    .endCell()
    .toBoc()
    .toString('base64')

test('killed between owners, it leaves no change out and repeats none', { timeout: 1_200_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const port = String(await freePort())
  const start = async () => {
    const patient = ['--call-ms', '120000', '--statement-ms', '120000', '--seed', 'none']
    const started = await startBuilt(['--data', data, '--port', port, ...patient])
    onTestFinished(() => started[Symbol.asyncDispose]())
    return started
  }
  let service = await start()
  const client = () => createClient({ url: service.url, timeoutMs: 300_000 })
  const { item, collection } = await client().dev.nft({ address: person(1) })
  const address = encodeURIComponent(item)
  const ownerNow = async () => {
    const { nft_items } = (await ask(service, `/api/v3/nft/items?address=${address}`)).body as { nft_items: Frame[] }
    return String(nft_items[0]?.owner_address)
  }
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const followers = [collection, '*'].map((one) => {
    const heard: unknown[] = []
    const wish = { url: service.url, types: ['nfts_change'], addresses: [one], signal: end.signal } as const
    void (async () => {
      for await (const { type, nft } of stream(wish))
        if (type === 'nfts_change') heard.push([nft.old_owner, nft.new_owner, nft.transaction_hash])
    })()
    return heard
  })
  let next = 2
  const move = async () => {
    const from = await ownerNow()
    const sent = { from, to: item, value: '200000000', body: bodyTo(person(next++)), bounce: true }
    await client().dev.sendInternal(sent)
  }
  // What came before its first notification a follower cannot resume behind.
  await move()
  await eventually(async () => {
    if (followers.every(({ length }) => length > 0)) return true
    await move()
    return undefined
  })
  for (let kills = 0; kills <= KILLS; kills++) {
    for (let i = 0; i < MOVES; i++) await move()
    if (kills === KILLS) break
    const cut = move().catch(() => undefined)
    service.child.kill('SIGKILL')
    await Promise.all([cut, service.ended])
    service = await start()
    await eventually(async () => (await ownerNow().catch(() => undefined)) !== undefined || undefined)
  }
  const path = `/api/v3/nft/transfers?item_address=${address}&sort=asc&limit=1000`
  const { nft_transfers } = (await ask(service, path)).body as { nft_transfers: Frame[] }
  const changes = nft_transfers.map((one) => [one.old_owner, one.new_owner, one.transaction_hash])
  const last = JSON.stringify(changes.at(-1))
  await eventually(() => followers.every((heard) => JSON.stringify(heard.at(-1)) === last) || undefined)
  expect(changes.length).toBeGreaterThan(KILLS * MOVES)
  for (const heard of followers) expect(heard).toEqual(changes.slice(-heard.length))
  expect(Math.min(...followers.map(({ length }) => length))).toBeGreaterThanOrEqual((KILLS + 1) * MOVES)
})
