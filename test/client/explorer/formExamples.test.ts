// The first call of every form of the console, on the demo chain: what it begins with has an answer, or the form says in
// words what a person has to bring along.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readForm } from '../../../client/explorer/console/consoleForm.ts'
import { firstTexts } from '../../../client/explorer/console/firstTexts.ts'
import { formNoteOf } from '../../../client/explorer/console/formNotes.ts'
import { type Described, methodsOf } from '../../../client/explorer/console/methods.ts'
import { createClient } from '../../../client/index.ts'
import { formExampleOf } from '../../../shared/explorer/formExamples.ts'
import type { MethodList } from '../../../shared/explorer/methodList.ts'
import { registry } from '../../../shared/registry.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import type { TestService } from '../../setup/service.ts'

let service: TestService
/** `wallet1`, as pages of this network know it. */
let account: string | undefined

beforeAll(async () => {
  service = await servePlayed()
  const { accounts } = await createClient({ url: service.url, timeoutMs: 300_000 }).dev.state()
  account = accounts.find(({ name }) => name === 'wallet1')?.friendly
}, 600_000)
afterAll(() => service?.[Symbol.asyncDispose]())

interface Answer {
  readonly status: number
  readonly result?: unknown
  readonly error?: unknown
}

async function call(method: string, params: unknown): Promise<Answer> {
  const reply = await fetch(`${service.url}/jsonRPC`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return { status: reply.status, ...((await reply.json()) as object) }
}

// The casts: documents of the service.
const read = async (path: string): Promise<unknown> => (await fetch(service.url + path)).json()
const listed = async () => ((await read('/openrpc/methods.json')) as MethodList).methods.map(({ name }) => name)

async function firstCallOf(name: string): Promise<Answer> {
  const [method] = methodsOf((await read(`/openrpc/method/${name}.json`)) as Described)
  if (method === undefined) throw new Error(`${name} is not described`)
  const example = formExampleOf(name)
  const resultOf = async ({ method, params }: { readonly method: string; readonly params: unknown }) =>
    (await call(method, params)).result
  const first = example && (await resultOf(example.query))
  const next = first ? example?.next?.(first) : null
  const found = example?.valuesIn(first, next ? await resultOf(next) : undefined) ?? {}
  const { params, wrong } = readForm(method, firstTexts(method, { found, account }))
  expect(wrong, name).toEqual({})
  return await call(name, params)
}

/** Fields of answers that have nothing else in them. */
const BESIDE = ['@type', 'address_book', 'metadata', 'cursor', 'known_since', 'total_on_page']

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).every((name) => BESIDE.includes(name)))

/** Whether a person sees something in it. */
const isSomething = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && !Array.isArray(result)
    ? Object.entries(result).some(([name, value]) => !BESIDE.includes(name) && !isNothing(value))
    : !isNothing(result)

/** Before them: what there must be. */
const AFTER: Readonly<Record<string, string>> = {
  'dev.snapshots': 'dev.snapshot',
  'v3.abis': 'dev.setName',
  acton_getAddressName: 'dev.setName',
  acton_getCompilerAbi: 'acton_registerCompilerAbis',
}

test('every method of the service has a form', async () => {
  expect(await listed()).toEqual(expect.arrayContaining(Object.keys(registry)))
})

test('the first call of each has an answer with something in it, or the form says what is needed', async () => {
  const poor: string[] = []
  const needless: string[] = []
  for (const name of await listed()) {
    const before = AFTER[name]
    if (before !== undefined) await firstCallOf(before)
    const { status, result, error } = await firstCallOf(name)
    const isGood = status === 200 && error === undefined && isSomething(result)
    if (!isGood && formNoteOf(name) === null) poor.push(`${name} ${status} ${JSON.stringify(error ?? result)}`)
    if (isGood && formNoteOf(name) !== null && name !== 'dev.revert') needless.push(name)
  }
  expect(poor).toEqual([])
  expect(needless).toEqual([])
})

test('what a form says to bring along is what the refusal is about', async () => {
  for (const name of ['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError', 'v3.message', 'v3.sendAndWait']) {
    expect(formNoteOf(name)).toMatch(/signed now/)
    expect(JSON.stringify((await firstCallOf(name)).error)).toMatch(/not accepted|was taken/)
  }
})
