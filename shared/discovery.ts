import { z } from 'zod'
import { method } from './method.ts'

/** JSON-RPC only: REST has `/openapi/v2.json` and `/openapi/v3.json` for the same purpose. */
export const discovery = {
  'rpc.discover': method({
    summary: 'OpenRPC document of this service.',
    description:
      'About 700 kB, the same until the service is updated: fetch it once. That of one method is at /openrpc/method/NAME.json, the list of all at /openrpc/methods.json. For REST use /openapi/v2.json and /openapi/v3.json.',
    group: 'discovery',
    params: z.strictObject({}),
    result: z.looseObject({
      openrpc: z.string().describe('Version of the OpenRPC specification.'),
      info: z
        .looseObject({
          title: z.string().describe('Name of the service.'),
          version: z.string().describe('Version of the v2 interface.'),
        })
        .describe('What the service is.'),
      methods: z
        .array(z.looseObject({ name: z.string().describe('Name to call the method by.') }))
        .describe('All methods with parameters, results and examples.'),
    }),
    rest: [],
    freshness: 'fixed',
    example: { params: {}, result: { openrpc: '1.3.2', info: { title: 'tonrpc', version: '2.2.1' }, methods: [] } },
  }),
}
