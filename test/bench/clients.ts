// B12: a thousand reads at once through our client, compared with the same through TonClient of @ton/ton; both ask the compiled
// service in a process of its own, which has answered all of them before.

import { Address } from '@ton/core'
import { TonClient } from '@ton/ton'
import { createClient } from '../../client/index.ts'
import { compare, table } from './compare.ts'
import { startOurs } from './started.ts'

const READS = 1000

// TonClient opens a connection for each call.
const service = await startOurs('--connections', '4000', '--connections-per-address', '4000')
const url = `http://127.0.0.1:${service.port}`
const ours = createClient({ url, apiKey: service.key })
const theirs = new TonClient({ endpoint: `${url}/api/v2/jsonRPC`, apiKey: service.key })
/** All different: equal requests at once are sent once by our client. */
const accounts = Array.from({ length: READS }, (_, number) => {
  const hash = Buffer.alloc(32)
  hash.writeUInt32BE(number)
  return new Address(0, hash)
})
const texts = accounts.map((account) => account.toString())

async function rate(read: (number: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await Promise.all(Array.from({ length: READS }, (_, number) => read(number)))
  return (READS * 1000) / (performance.now() - began)
}

try {
  const address = (number: number) => accounts[number] ?? new Address(0, Buffer.alloc(32))
  const contest = { name: `B12 ${READS} reads at once through the client`, unit: 'reads/s', target: 10 }
  const once = (number: number) => ours.getAddressBalance({ address: `${texts[number]}` })
  console.log(
    table([
      await compare({
        ...contest,
        ours: () => rate(once),
        theirs: () => rate((number) => theirs.getBalance(address(number))),
      }),
    ]),
  )
} finally {
  await service.close()
}
