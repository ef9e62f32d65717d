import { z } from 'zod'
import { method } from './method.ts'

// JSON-RPC only: REST has `/openapi/v2.json` and `/openapi/v3.json` for the same purpose.
export const discovery = {
  'rpc.discover': method({
    summary: 'The OpenRPC document of this service.',
    group: 'discovery',
    params: z.strictObject({}),
    result: z.looseObject({
      openrpc: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      methods: z.array(z.looseObject({ name: z.string() })),
    }),
    rest: [],
    freshness: 'fixed',
    example: { params: {}, result: { openrpc: '1.3.2', info: { title: 'tonrpc', version: '2.2.1' }, methods: [] } },
  }),
}
