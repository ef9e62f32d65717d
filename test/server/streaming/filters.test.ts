// Which actions a subscription shows, of a trace with an action that is made of others: what v3 shows with the same words.

import { expect, test } from 'vitest'
import { ask, queryOf } from '../../setup/calls.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { forAllTests } from '../../setup/service.ts'
import { eventually, type Frame, openEvents } from '../../setup/streams.ts'

const service = forAllTests(servePlayed)
const WHOLE = 'multisig_execute'

const listOf = async (name: string, params: Record<string, unknown>): Promise<readonly Frame[]> =>
  (await ask(service(), `/api/v3/${name}${queryOf(params)}`)).body[name] as readonly Frame[]

/** The place before all that a masterchain block means. */
async function placeBefore(seqno: number): Promise<string> {
  const [block] = await listOf('blocks', { workchain: -1, seqno: seqno - 1 })
  const mark = Buffer.from(String(block?.root_hash), 'base64').toString('hex', 0, 4)
  return Buffer.from(`${seqno - 1}:9007199254740991:${mark}`).toString('base64url')
}

interface PastTrace {
  readonly trace_id: string
  readonly accounts: readonly string[]
  /** Of the masterchain blocks it is in. */
  readonly seqnos: readonly number[]
}

/** Types and ids of the actions of a trace that a subscription to its accounts is sent. */
async function shownOf({ trace_id, accounts, seqnos }: PastTrace, wish: object): Promise<readonly string[]> {
  const after = await placeBefore(Math.min(...seqnos))
  const stream = await openEvents(service(), { types: ['actions', 'blocks'], addresses: accounts, after, ...wish })
  await eventually(
    () =>
      stream.notices().some(({ block }) => Number((block as Frame | undefined)?.seqno) >= Math.max(...seqnos)) ||
      undefined,
  )
  const all = stream.notices().flatMap(({ actions }) => (actions ?? []) as readonly Frame[])
  stream.cut()
  const own = all.filter((one) => one.trace_id === trace_id)
  return [...new Set(own.map(({ type, action_id }) => `${type} ${action_id}`))].sort()
}

test('clients that know the whole see it, others its parts; and of those the types they name', async () => {
  const [whole] = await listOf('actions', { action_type: WHOLE, limit: 1, include_accounts: true })
  const trace_id = String(whole?.trace_id)
  const [trace] = await listOf('traces', { trace_id })
  const rows = Object.values(trace?.transactions as Record<string, Frame>)
  const seqnos = rows.map((row) => Number(row.mc_block_seqno))
  const accounts = [...new Set(rows.map(({ account }) => String(account)))]
  const shown = (wish: object) => shownOf({ trace_id, accounts, seqnos }, wish)
  const wanted = async (supported: readonly string[], types: readonly string[] = []) => {
    const actions = await listOf('actions', { trace_id, limit: 1000, supported_action_types: supported })
    const named = actions.filter(({ type }) => types.length === 0 || types.includes(String(type)))
    return named.map(({ type, action_id }) => `${type} ${action_id}`).sort()
  }
  const latest = await shown({})
  expect(latest).toEqual(await wanted(['latest']))
  expect(latest.join()).toContain(WHOLE)
  const pieces = await shown({ supported_action_types: ['v1'] })
  expect(pieces).toEqual(await wanted(['v1']))
  expect(pieces.join()).not.toContain(WHOLE)
  expect(pieces.length).toBeGreaterThan(0)
  expect(await shown({ action_types: [WHOLE] })).toEqual(await wanted(['latest'], [WHOLE]))
  // A part is not shown to those who see the whole, whatever they name.
  const [part = ''] = pieces.filter((one) => !latest.includes(one))
  const [type = ''] = part.split(' ')
  expect(await shown({ action_types: [type] })).not.toContain(part)
  expect(await shown({ action_types: [type], supported_action_types: ['v1'] })).toContain(part)
})

test('a transfer of another currency is sent to those who name the type that it is shown under', async () => {
  const actions = await listOf('actions', { action_type: 'ton_transfer', limit: 1000, include_accounts: true })
  const carried = actions.find(({ type }) => type === 'extra_currency_transfer')
  const seqno = Number(carried?.trace_mc_seqno_end)
  const trace_id = String(carried?.trace_id)
  const past = { trace_id, accounts: carried?.accounts as readonly string[], seqnos: [seqno] }
  const named = `extra_currency_transfer ${carried?.action_id}`
  expect(await shownOf(past, { action_types: ['extra_currency_transfer'] })).toContain(named)
  expect(await shownOf(past, { action_types: ['ton_transfer'] })).not.toContain(named)
})
