// The client of the benchmark `endToEnd`, in a process of its own as clients are: in the service's it would keep the
// service waiting with its own work, above all by asking again and again. Asks for messages by IPC, and reports how it went.

import { createClient } from '../../client/index.ts'

/** Messages that are sent at once, in base64. */
export interface Order {
  readonly url: string
  readonly messages: readonly string[]
}

/** Milliseconds until the transaction of the last message was seen in v3. */
export interface Seen {
  readonly ms: number
}

/** Between two looks: one that is not over yet holds up the very thing that is waited for. */
const PAUSE_MS = 2

async function run({ url, messages }: Order): Promise<Seen> {
  const client = createClient({ url })
  const began = performance.now()
  const sent = await Promise.all(messages.map((boc) => client.sendBocReturnHash({ boc })))
  const hash = sent.at(-1)?.hash ?? ''
  for (;;) {
    const { transactions } = await client.v3.transactionsByMessage({ msg_hash: [hash] })
    if (transactions.length > 0) return { ms: performance.now() - began }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

process.on('message', (order: Order) => {
  run(order).then(
    (seen) => process.send?.(seen),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
