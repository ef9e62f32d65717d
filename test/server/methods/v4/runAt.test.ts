// Get-methods of v4 over real HTTP, for readers that use no client library: the stack is also taken apart, and long arguments are
// sent as a body.

import { Address, beginCell, serializeTuple, type TupleItem } from '@ton/core'
import { expect, test } from 'vitest'
import { ask } from '../../../setup/calls.ts'
import { forAllTests, serve } from '../../../setup/service.ts'

const service = forAllTests(() => serve({ config: { seed: 'none' } }))

const ELECTOR = Address.parse(`-1:${'33'.repeat(32)}`)
const STAKE = `/api/v4/block/1/${ELECTOR}/run/compute_returned_stake`
const ARGS = argsOf({ type: 'int', value: 5n })

function argsOf(...items: TupleItem[]): string {
  return serializeTuple(items).toBoc({ idx: false, crc32: false }).toString('base64')
}

async function posted(body: string, type: string, path = STAKE) {
  const { status, body: answer } = await ask(service(), path, {
    method: 'POST',
    body,
    headers: { 'Content-Type': type },
  })
  return { status, answer }
}

test('behavior: arguments and results are taken apart', async () => {
  const { body } = await ask(service(), `${STAKE}/${ARGS.replaceAll('+', '-').replaceAll('/', '_')}`)
  expect(Object.keys(body)).toEqual(['arguments', 'result', 'exitCode', 'resultRaw', 'block', 'shardBlock'])
  expect(body).toMatchObject({
    arguments: [{ type: 'int', value: '5' }],
    result: [{ type: 'int', value: '0' }],
    exitCode: 0,
    resultRaw: expect.any(String),
  })
  const none = await ask(service(), `/api/v4/block/1/${ELECTOR}/run/nothing`)
  expect(none.body).toMatchObject({ arguments: [], result: null, exitCode: 11, resultRaw: null })
})

test('behavior: arguments of every kind that can be passed', async () => {
  const cell = beginCell().storeUint(7, 8).endCell()
  const text = cell.toBoc({ idx: false, crc32: true }).toString('base64')
  const items: TupleItem[] = [
    { type: 'null' },
    { type: 'cell', cell },
    { type: 'slice', cell },
    { type: 'tuple', items: [{ type: 'int', value: -1n }] },
  ]
  const { answer } = await posted(argsOf(...items), 'text/plain', `/api/v4/block/1/${ELECTOR}/run/nothing`)
  const { arguments: given } = answer
  expect(given).toEqual([
    { type: 'null' },
    { type: 'cell', cell: text },
    { type: 'slice', cell: text },
    { type: 'tuple', items: [{ type: 'int', value: '-1' }] },
  ])
})

test('behavior: arguments as a body, as they are and as JSON', async () => {
  const { body: got } = await ask(service(), `${STAKE}/${ARGS.replaceAll('+', '-').replaceAll('/', '_')}`)
  expect(await posted(ARGS, 'text/plain')).toEqual({ status: 200, answer: got })
  expect(await posted(JSON.stringify(ARGS), 'application/json')).toEqual({ status: 200, answer: got })
  const seqno = `/api/v4/block/1/${Address.parse(`-1:${'55'.repeat(32)}`)}/run/seqno`
  expect((await posted('', 'text/plain', seqno)).answer).toMatchObject({ arguments: [], exitCode: 0 })
})

test('error: a body that is no arguments', async () => {
  const refusal = { error: 'the body must be the arguments, a bag of cells in base64' }
  for (const body of ['{"args":"AAAA"}', '["AAAA"]'])
    expect(await posted(body, 'application/json')).toEqual({ status: 422, answer: refusal })
  const { status, answer } = await posted('AAAA', 'text/plain')
  expect([status, answer.error]).toEqual([422, expect.stringContaining('the arguments are not a stack')])
})
