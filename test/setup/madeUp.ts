// Methods no one needs, for what the real ones do not do: adding numbers, failing, hanging, answering at great length.

import { z } from 'zod'
import type { MethodSet } from '../../server/app/serving/serviceParts.ts'
import type { Handlers } from '../../server/methods/index.ts'
import { type MethodSpec, method, postsV2, readsV2 } from '../../shared/method.ts'
import { AnyHash, LogicalTime, Shard } from '../../shared/primitives.ts'

const group = 'made up'
const Numbers = z.array(z.int())
const live = 'live' as const

const quiet = (params: z.ZodObject, example: Record<string, number>) =>
  method({
    summary: 'Listens.',
    group,
    params,
    result: z.null(),
    rest: [],
    freshness: live,
    example: { params: example, result: null },
  })

/** The methods of the examples in the JSON-RPC 2.0 specification, section 7. */
export const arithmetic = {
  subtract: method({
    summary: 'Takes one number from another.',
    group,
    params: z.strictObject({ minuend: z.int(), subtrahend: z.int() }),
    result: z.int(),
    rest: readsV2('subtract'),
    freshness: live,
    example: { params: { minuend: 42, subtrahend: 23 }, result: 19 },
  }),
  sum: method({
    summary: 'Adds three numbers.',
    group,
    params: z.strictObject({ a: z.int(), b: z.int(), c: z.int() }),
    result: z.int(),
    rest: [],
    freshness: live,
    example: { params: { a: 1, b: 2, c: 4 }, result: 7 },
  }),
  get_data: method({
    summary: 'Two things.',
    group,
    params: z.strictObject({}),
    result: z.tuple([z.string(), z.int()]),
    rest: [],
    freshness: live,
    example: { params: {}, result: ['hello', 5] },
  }),
  update: quiet(z.strictObject({ a: z.int(), b: z.int(), c: z.int(), d: z.int(), e: z.int() }), {
    a: 1,
    b: 2,
    c: 3,
    d: 4,
    e: 5,
  }),
  notify_hello: quiet(z.strictObject({ times: z.int() }), { times: 7 }),
  notify_sum: quiet(z.strictObject({ a: z.int(), b: z.int(), c: z.int() }), { a: 1, b: 2, c: 4 }),
} satisfies Record<string, MethodSpec>

const arithmeticHandlers: Handlers<typeof arithmetic> = {
  subtract: ({ minuend, subtrahend }) => minuend - subtrahend,
  sum: ({ a, b, c }) => a + b + c,
  get_data: () => ['hello', 5],
  update: () => null,
  notify_hello: () => null,
  notify_sum: () => null,
}

const Everything = z.object({
  shard: z.string().optional(),
  lt: z.string().optional(),
  count: z.int().optional(),
  flag: z.boolean().optional(),
  word: z.string().optional(),
  hashes: z.array(z.string()).optional(),
})

const awkward = {
  types: method({
    summary: 'Says what it was given.',
    group,
    params: z.strictObject({
      shard: Shard.optional(),
      lt: LogicalTime.optional(),
      count: z.int().optional(),
      flag: z.boolean().optional(),
      word: z.string().max(20_000).optional(),
      hashes: z.array(AnyHash).max(3).optional(),
    }),
    result: Everything,
    rest: readsV2('types'),
    freshness: live,
    example: { params: { count: 1 }, result: { count: 1 } },
  }),
  runOnly: method({
    summary: 'POST only.',
    group,
    params: z.strictObject({}),
    result: z.string(),
    rest: postsV2('runOnly'),
    freshness: live,
    example: { params: {}, result: 'done' },
  }),
  'v3.word': method({
    summary: 'A word of the indexed interface.',
    group,
    params: z.strictObject({ word: z.string().max(10), numbers: Numbers.max(3).optional() }),
    result: z.object({ word: z.string(), numbers: Numbers }),
    rest: [
      { verb: 'GET', path: '/api/v3/word' },
      { verb: 'POST', path: '/api/v3/word' },
    ],
    freshness: live,
    example: { params: { word: 'yes' }, result: { word: 'yes', numbers: [] } },
  }),
  costly: method({
    summary: 'Costs five.',
    group,
    params: z.strictObject({}),
    result: z.string(),
    rest: readsV2('costly'),
    cost: 5,
    freshness: live,
    example: { params: {}, result: 'paid' },
  }),
  fixed: method({
    summary: 'Counts its runs, and is meant to run once.',
    group,
    params: z.strictObject({ word: z.string().max(10).optional() }),
    result: z.int(),
    rest: readsV2('fixed'),
    freshness: 'fixed',
    example: { params: {}, result: 1 },
  }),
  boom: method({
    summary: 'Fails with something private.',
    group,
    params: z.strictObject({ late: z.boolean().default(false) }),
    result: z.string(),
    rest: [...readsV2('boom'), { verb: 'GET', path: '/api/v3/boom' }],
    freshness: live,
    example: { params: {}, result: 'never' },
  }),
  wait: method({
    summary: 'Answers when the test says so, or never.',
    group,
    params: z.strictObject({}),
    result: z.string(),
    rest: [...readsV2('wait'), { verb: 'GET', path: '/api/v3/wait' }],
    freshness: live,
    example: { params: {}, result: 'released' },
  }),
  repeat: method({
    summary: 'A long answer.',
    group,
    params: z.strictObject({ times: z.int().min(0).max(20_000_000), letter: z.string().length(1).default('x') }),
    result: z.string(),
    rest: readsV2('repeat'),
    freshness: live,
    example: { params: { times: 1 }, result: 'x' },
  }),
  wrong: method({
    summary: 'Answers with what its schema does not allow.',
    group,
    params: z.strictObject({}),
    result: z.string(),
    rest: readsV2('wrong'),
    freshness: live,
    example: { params: {}, result: 'never' },
  }),
} satisfies Record<string, MethodSpec>

export const PRIVATE = 'password=hunter2 at /home/someone/secret.ts'

const everything = { ...arithmetic, ...awkward }

/** What a test sees of and does to the methods while they run. */
export class Control {
  /** Calls of `wait` that have not been released. */
  readonly waiting: { release(): void; readonly signal: AbortSignal }[] = []
  runs = 0
  mostAtOnce = 0

  release(): void {
    for (const { release } of this.waiting.splice(0)) release()
  }

  /** Resolves when `count` calls wait. */
  async reached(count: number): Promise<void> {
    const deadline = Date.now() + 120_000
    while (this.waiting.length < count) {
      if (Date.now() > deadline) throw new Error(`${this.waiting.length} of ${count} calls came`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

export const madeUp = (control = new Control()): MethodSet<typeof everything> => ({
  registry: everything,
  handlers: () => ({
    ...arithmeticHandlers,
    types: ({ shard, lt, hashes, ...rest }) => ({
      ...rest,
      ...(shard === undefined ? {} : { shard: String(shard) }),
      ...(lt === undefined ? {} : { lt: String(lt) }),
      ...(hashes === undefined ? {} : { hashes: hashes.map((hash) => Buffer.from(hash).toString('hex')) }),
    }),
    runOnly: () => 'done',
    'v3.word': ({ word, numbers }) => ({ word, numbers: numbers ?? [] }),
    costly: () => 'paid',
    fixed: () => ++control.runs,
    boom: ({ late }) => {
      if (late) return Promise.reject(new TypeError(PRIVATE))
      throw new TypeError(PRIVATE)
    },
    wait: (_params, { signal }) =>
      new Promise((resolve, reject) => {
        // As handlers do: the lane of a caller who left is free at once.
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        control.waiting.push({ release: () => resolve('released'), signal })
        control.mostAtOnce = Math.max(control.mostAtOnce, control.waiting.length)
      }),
    repeat: ({ times, letter }) => letter.repeat(times),
    wrong: () => 7 as unknown as string,
  }),
})
