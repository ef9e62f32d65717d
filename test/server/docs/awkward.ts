// A registry with everything a document can stumble over, and facts to go with it.

import { z } from 'zod'
import type { ServiceFacts } from '../../../server/docs/index.ts'
import { method } from '../../../shared/method.ts'
import { page, Sort } from '../../../shared/page.ts'
import { AnyAddress, Digits } from '../../../shared/primitives.ts'
import type { Registry } from '../../../shared/registry.ts'

export const NASTY = `<script>alert("it's 1 & 2")</script><img src=x onerror='alert(1)'>`

export const facts: ServiceFacts = {
  title: 'tonrpc',
  versions: { v2: '2.2.1', v3: '1.0.0' },
  network: 'devnet',
  limits: { bodyBytes: 1_048_576, batchItems: 100, callsPerSecond: '1 without a key' },
}

/** Reads differently on its way in: the default makes `depth` optional. */
const Options = z
  .object({ depth: z.int().min(1).max(9).default(3), note: z.string().max(200).optional() })
  .meta({ id: 'Options', description: NASTY })

interface Tree {
  value: string
  children: Tree[]
}
/** Recursive, and without an id. */
const Tree: z.ZodType<Tree> = z.object({
  value: z.string(),
  get children() {
    return z.array(Tree)
  },
})

const Row = z.object({ lt: Digits, options: Options, 'strange key "<&>': z.string() }).meta({ id: 'Row' })
const row = { lt: '123456789012345678901234567890' as const, options: { depth: 2 }, 'strange key "<&>': NASTY }

export const awkward = {
  mixed: method({
    summary: `Mixed up. ${NASTY}`,
    group: `Odd "things" & ${NASTY}`,
    params: z.strictObject({
      address: AnyAddress.meta({ description: `Whose. ${NASTY}` }),
      either: z.union([z.string(), z.int()]).meta({ description: 'A text or a number.' }),
      list: z.array(AnyAddress).min(1).max(3).optional(),
      numbers: z.array(z.int()).default([]),
      options: Options,
      tuple: z.tuple([z.string(), z.int()]).optional(),
      colour: z.enum(['red', '"green"', NASTY]).default('red'),
      flag: z.boolean().default(false),
      maybe: z.string().max(5).nullable().optional(),
    }),
    result: z.object({ tree: Tree, rows: z.array(Row), kind: z.union([z.literal('a'), z.null()]) }),
    rest: [
      { verb: 'GET', path: '/api/v2/mixed' },
      { verb: 'POST', path: '/api/v2/mixed' },
      { verb: 'GET', path: '/api/v2/mixedAlias' },
    ],
    cost: 5,
    freshness: 'live',
    example: {
      params: {
        address: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
        either: `it's "quoted" & <b>bold</b>`,
        list: ['EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'a b+c&d=e'],
        options: { depth: 2, note: NASTY },
        tuple: ['x', 1],
        flag: true,
      },
      result: { tree: { value: NASTY, children: [{ value: '', children: [] }] }, rows: [row], kind: null },
    },
  }),

  lateRequired: method({
    summary: 'An optional parameter stands before a required one.',
    group: `Odd "things" & other`,
    params: z.strictObject({ first: z.string().optional(), second: z.string(), tree: Tree.optional() }),
    result: z.string(),
    rest: [{ verb: 'POST', path: '/api/v2/lateRequired' }],
    freshness: 'live',
    example: { params: { second: 'b' }, result: 'fine' },
  }),

  'dev.reset': method({
    summary: 'JSON-RPC only, nothing to give.',
    group: 'dev',
    params: z.strictObject({}),
    result: z.boolean(),
    rest: [],
    freshness: 'live',
    example: { params: {}, result: true },
  }),

  'v3.odd.rows': method({
    summary: 'A page of rows.',
    group: 'rows',
    params: z.strictObject({ account: z.array(AnyAddress).max(1000).optional(), ...page({ most: 500 }), sort: Sort }),
    result: z.object({ rows: z.array(Row) }),
    rest: [{ verb: 'GET', path: '/api/v3/odd/rows' }],
    freshness: 'block',
    paged: true,
    example: { params: { limit: 1 }, result: { rows: [row] } },
  }),

  'v3.odd_rows': method({
    summary: 'A path whose words are those of another one.',
    group: 'rows',
    params: z.strictObject({}),
    result: z.array(z.string()),
    rest: [{ verb: 'GET', path: '/api/v3/odd_rows' }],
    freshness: 'block',
    example: { params: {}, result: [] },
  }),
} satisfies Registry
