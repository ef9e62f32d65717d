// Workers of an embedded chain that was reverted: what they answer before the index has followed it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Caller, callerOfEach } from '../../../setup/callers.ts'
import { startBuilt } from '../../../setup/runningService.ts'

const ROUNDS = 5
const PROCESSES = 3

interface Last {
  readonly seqno: number
  readonly root_hash: string
}

async function resultOf<T>(caller: Caller, method: string, params = {}): Promise<T> {
  const { result, ...rest } = await caller.ask(method, params)
  expect(rest).toMatchObject({ ok: true })
  return result as T
}

const ofIndex = async (caller: Caller, headers = {}) => {
  const { status, text } = await caller.get('/api/v3/masterchainInfo', headers)
  return { status, last: status === 200 ? (JSON.parse(text) as { readonly last: Last }).last : null }
}

test('X-Min-Seqno: an index at an undone block is not far enough for any process', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-workers-revert-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const flags = ['--workers', String(PROCESSES), '--seed', 'none', '--mining', 'manual', '--limits', 'off']
  await using service = await startBuilt(['--data', data, ...flags])
  while (!/"2 of 2 ready"/.test(await (await fetch(`${service.url}/readyz`)).text())) await sleep(50)
  const all = [...(await callerOfEach(service, PROCESSES)).values()]
  onTestFinished(() => {
    for (const one of all) one[Symbol.dispose]()
  })
  const [owner] = all
  if (owner === undefined) throw new Error('a caller is expected')
  for (let i = 0; i < ROUNDS; i++) {
    const { id } = await resultOf<{ readonly id: string }>(owner, 'dev.snapshot')
    const { seqno } = await resultOf<{ readonly seqno: number }>(owner, 'dev.mine', { blocks: 5 })
    while ((await ofIndex(owner)).last?.seqno !== seqno) await sleep(5)
    await resultOf(owner, 'dev.revert', { id })
    await resultOf(owner, 'dev.increaseTime', { seconds: 5 })
    await resultOf(owner, 'dev.mine', { blocks: 5 })
    const { last } = await resultOf<{ readonly last: Last }>(owner, 'getMasterchainInfo')
    await Promise.all(
      all.map(async (one) => {
        let answer = await ofIndex(one, { 'X-Min-Seqno': String(last.seqno) })
        while (answer.status === 503) answer = await ofIndex(one, { 'X-Min-Seqno': String(last.seqno) })
        expect(answer).toMatchObject({ status: 200, last: { seqno: last.seqno, root_hash: last.root_hash } })
      }),
    )
  }
})
