// Calls that come right after the embedded chain was reverted, before the index has followed it.

import { expect, test } from 'vitest'
import { writeStreamCursor } from '../../../server/streaming/streamCursor.ts'
import { ask, post, sendAndWait } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openSocket, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const ROUNDS = 5
const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

interface Named {
  readonly seqno: number
  readonly root_hash: string
}

/** Undoes some blocks that are indexed and makes as many others; the newest of them, as the chain has it. */
async function anotherBranch(): Promise<Named> {
  const { client } = await openWallet(service())
  const { id } = await client.dev.snapshot()
  const { seqno } = await client.dev.mine({ blocks: 5 })
  await eventually(async () => {
    const { body } = await ask(service(), '/api/v3/masterchainInfo')
    return (body.last as Named | undefined)?.seqno === seqno || undefined
  })
  await client.dev.revert({ id })
  await client.dev.increaseTime({ seconds: 5 })
  await client.dev.mine({ blocks: 5 })
  const { last } = await client.getMasterchainInfo()
  expect(last.seqno).toBeGreaterThanOrEqual(seqno)
  return last
}

test('dev.revert: no call after its reply sees what was undone', async () => {
  const { client } = await openWallet(service())
  for (let i = 0; i < ROUNDS; i++) {
    const { id } = await client.dev.snapshot()
    const { seqno: most } = await client.dev.mine({ blocks: 5 })
    const at = async () => (await ask(service(), '/api/v3/masterchainInfo')).body.last as Named
    await eventually(async () => (await at()).seqno === most || undefined)
    const { seqno } = await client.dev.revert({ id })
    expect((await at()).seqno).toBe(seqno)
    expect(seqno).toBe(most - 5)
  }
})

test('X-Min-Seqno: an index at an undone block is not far enough', async () => {
  for (let i = 0; i < ROUNDS; i++) {
    const { seqno, root_hash } = await anotherBranch()
    const read = () => ask(service(), '/api/v3/masterchainInfo', { headers: { 'X-Min-Seqno': String(seqno) } })
    let answer = await read()
    while (answer.status === 503) answer = await read()
    expect(answer.body.last).toMatchObject({ seqno, root_hash })
  }
})

test('a stream resumes from a block of the new branch', async () => {
  for (let i = 0; i < ROUNDS; i++) {
    const { seqno, root_hash } = await anotherBranch()
    const block = Buffer.from(root_hash, 'base64').toString('hex', 0, 4)
    const stream = await openSocket(service())
    const after = writeStreamCursor({ mcSeqno: seqno, position: 0, block })
    expect(await stream.say('subscribe', { types: ['blocks'], after })).toMatchObject({ status: 'subscribed' })
    stream.socket.terminate()
  }
})

test('emulate.replay: a transaction that was undone is not found, also by calls that run meanwhile', async () => {
  const { client } = await openWallet(service())
  for (let i = 0; i < ROUNDS; i++) {
    const { id } = await client.dev.snapshot()
    await client.dev.faucet({ address: RECEIVER, amount: '1000000000' })
    await client.dev.mine({ blocks: 1 })
    const hash = await eventually(
      async () => (await client.v3.transactions({ account: [RECEIVER] })).transactions[0]?.hash,
    )
    const replay = () => post(service(), '/api/emulate/v1/replay', { tx_hash: hash })
    expect(await replay()).toMatchObject({ status: 200, body: { is_equal: true } })
    const meanwhile = Array.from({ length: 20 }, replay)
    await client.dev.revert({ id })
    expect(await replay()).toMatchObject({ status: 404 })
    for (const { status, body } of await Promise.all(meanwhile))
      expect([status, body.error ?? body.is_equal]).toEqual(
        status === 200 ? [200, true] : [404, 'transaction not found'],
      )
  }
})

test('sendAndWait: a message whose block was undone is sent again', async () => {
  const wallet = await openWallet(service())
  const wait = (boc: string) => sendAndWait(service(), { boc })
  const isSent = () => eventually(async () => (await wallet.client.dev.state()).pending === 1 || undefined)
  const { id } = await wallet.client.dev.snapshot()
  const boc = wallet.sign(RECEIVER)
  for (let i = 0; i < 2; i++) {
    const end = wait(boc)
    await Promise.race([isSent(), end])
    await wallet.mine()
    expect(await end).toMatchObject({ status: 200, body: { status: 'finalized' } })
    if (i === 0) await wallet.client.dev.revert({ id })
  }
})
