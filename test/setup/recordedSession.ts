// What lite servers of the public C++ node were called with and what they answered, as calls of a `LiteServer`.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { answerLiteQuery, LiteError, type LiteServer, type ZeroStateId } from '../../server/node/index.ts'
import { createLiteServerOver } from '../../server/node/liteApi/index.ts'
import { unwrapQuery, wrapQuery } from '../../server/tl/index.ts'
import type { Verb } from './lyingServer.ts'

export interface RecordedCall {
  readonly verb: Verb
  readonly args: readonly unknown[]
  /** Or why it was refused. */
  readonly answer: unknown
}

interface Session {
  readonly config: {
    readonly validator: { readonly zero_state: { readonly root_hash: string; readonly file_hash: string } }
  }
  readonly answers: readonly (readonly [request: string, answer: string])[]
}

export const SESSIONS = ['cpp-session', 'cpp-session-switch'] as const
export type SessionName = (typeof SESSIONS)[number]

export const readFixture = (name: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(new URL(`../fixtures/network/${name}.json.gz`, import.meta.url))).toString('utf8'))

const sessionOf = (name: SessionName): Session => readFixture(name) as Session

export function zerostateOf(name: SessionName): ZeroStateId {
  const { root_hash: root, file_hash: file } = sessionOf(name).config.validator.zero_state
  return { workchain: -1, rootHash: Buffer.from(root, 'base64'), fileHash: Buffer.from(file, 'base64') }
}

type AnyVerb = (...args: readonly unknown[]) => Promise<unknown>

/** The verb a request means and its arguments, and the recorded answer as that verb returns it. */
async function callOf(request: Uint8Array, answer: Uint8Array): Promise<RecordedCall> {
  const written: string[] = []
  const recorded = createLiteServerOver(async (query) => {
    written.push(Buffer.from(unwrapQuery(query).request).toString('base64'))
    return answer
  })
  let call: RecordedCall | null = null
  const listening = new Proxy(recorded, {
    get:
      (target, name) =>
      async (...given: readonly unknown[]) => {
        const verb = name as Verb
        // The last one says how long to wait.
        const args = given.slice(0, -1)
        const value = await (target[verb] as AnyVerb)(...args).catch((error: unknown) => error)
        call = { verb, args, answer: value }
        throw new LiteError('cancelled', 'seen')
      },
  })
  await answerLiteQuery(listening, wrapQuery(request, null))
  if (call === null) throw new Error(`A request no verb stands for: ${Buffer.from(request).toString('hex')}`)
  return call
}

/** All of a session, in the order they were called. */
export async function recordedCalls(name: SessionName): Promise<readonly RecordedCall[]> {
  const calls: RecordedCall[] = []
  for (const [request, answer] of sessionOf(name).answers)
    calls.push(await callOf(Buffer.from(request, 'base64'), Buffer.from(answer, 'base64')))
  return calls
}

/** The lite server of a session; what was not called then it refuses as unknown. */
export function recordedServer(name: SessionName, keyOf: (request: Uint8Array) => string): LiteServer {
  const answers = new Map(
    sessionOf(name).answers.map(([request, answer]) => [
      keyOf(Buffer.from(request, 'base64')),
      Buffer.from(answer, 'base64'),
    ]),
  )
  return createLiteServerOver(async (query) => {
    const answer = answers.get(keyOf(unwrapQuery(query).request))
    if (answer === undefined) throw new LiteError('notReady', 'not in db')
    return answer
  })
}
