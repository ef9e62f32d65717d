// B1 to B3: what the doors cost, compared with node:http answering the same bytes (headers and body) without any of the work.

import { compare, type Row, table } from './compare.ts'
import { load } from './load.ts'
import { get, post, type Started, startBare, startOurs, stop } from './started.ts'

const ADDRESS = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const CALL = { jsonrpc: '2.0', id: 1, method: 'packAddress', params: { address: ADDRESS } }
/** A contract of the embedded chain with code and data of some size. */
const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'
const READ = { jsonrpc: '2.0', id: 1, method: 'getAddressInformation', params: { address: ELECTOR } }
const ROUND_MS = 1500
const CONNECTIONS = 32

async function benchHttp(): Promise<Row[]> {
  const ours = await startOurs()
  const { key } = ours
  const single = post('/jsonRPC', CALL, key)
  const read = post('/jsonRPC', READ, key)
  const rest = get(`/api/v2/packAddress?address=${ADDRESS}`, key)
  const batch = post(
    '/jsonRPC',
    Array.from({ length: 100 }, (_, id) => ({ ...CALL, id })),
    key,
  )
  const bareSingle = await startBare(ours, single)
  const bareRead = await startBare(ours, read)
  const bareRest = await startBare(ours, rest)
  const rate =
    ({ port }: Started, request: string) =>
    () =>
      load({ port, request, connections: CONNECTIONS, ms: ROUND_MS })
  const rows = [
    await compare({
      name: 'B1 single JSON-RPC call, key and limiter on',
      unit: 'calls/s',
      target: 0.65,
      ours: rate(ours, single),
      theirs: rate(bareSingle, single),
    }),
    await compare({
      name: 'B1 the same, a remembered read of the chain',
      unit: 'calls/s',
      target: 0.65,
      ours: rate(ours, read),
      theirs: rate(bareRead, read),
    }),
    await compare({
      name: 'B2 batch of 100 against one call per request',
      unit: 'calls/s',
      target: 6,
      ours: async () => 100 * (await rate(ours, batch)()),
      theirs: rate(bareSingle, single),
    }),
    await compare({
      name: 'B3 REST mirror of the same read',
      unit: 'calls/s',
      target: 0.6,
      ours: rate(ours, rest),
      theirs: rate(bareRest, rest),
    }),
  ]
  for (const bare of [bareSingle, bareRead, bareRest]) await stop(bare)
  await ours.close()
  return rows
}

console.log('Each row measures ours and the reference in turn, five rounds; ratios are medians.\n')
console.log(table(await benchHttp()))
