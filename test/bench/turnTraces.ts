// Traces as long as they may be: indexed while streams hear of them, read on every path, and emulated.

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createClient } from '../../client/index.ts'
import { beginCell, writeBocText } from '../../server/cell/index.ts'
import { deploymentOf, stateInit } from '../../server/devchain/contracts/index.ts'
import { fromCell, gramsOnly, loadStateInit, storeMessage, toCell } from '../../server/tlb/index.ts'
import { growTree, treeCode } from './explorerChain.ts'
import { type Asking, call } from './turnParts.ts'

/** Levels of trees of messages: 255 and 2,047 transactions. */
const LEVELS = [7, 10]
const READERS = 20

async function listeners(url: string): Promise<WebSocket[]> {
  const subscribe = (finality: string) =>
    JSON.stringify({
      operation: 'subscribe',
      id: '1',
      types: ['transactions', 'actions', 'trace', 'account_state_change'],
      min_finality: finality,
      include_address_book: true,
      include_metadata: true,
    })
  const sockets = Array.from(
    { length: READERS },
    () => new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws`),
  )
  for (const [i, socket] of sockets.entries()) {
    await once(socket, 'open')
    socket.on('message', () => undefined)
    socket.send(subscribe(i % 2 === 0 ? 'pending' : 'finalized'))
  }
  return sockets
}

export async function traces({ url, step, begin }: Asking): Promise<void> {
  const client = createClient({ url, timeoutMs: 120_000 })
  await client.dev.setMining({ mode: 'manual' })
  const code = await treeCode()
  const sockets = await listeners(url)
  for (const levels of LEVELS) {
    const name = `a trace of ${2 ** (levels + 1) - 1}`
    begin(`${name}: made`)
    const hash = encodeURIComponent(await growTree(client, code, levels))
    begin(`${name}: indexed`)
    await pause(5000)
    for (const path of [
      `/api/v3/traces?trace_id=${hash}&include_actions=true`,
      `/api/v3/traces?tx_hash=${hash}&include_balance_changes=true`,
      `/api/v3/balanceChanges?trace_id=${hash}`,
      `/api/v3/transactions?trace_id=${hash}&limit=1000`,
      `/api/v3/transactionsByTrace?trace_id=${hash}&limit=1000`,
      `/api/v3/actions?trace_id=${hash}&limit=1000`,
      `/api/v3/messages?limit=1000`,
      `/transaction/${hash}`,
      `/trace/${hash}`,
    ])
      for (const round of ['first', 'again'])
        await step(`${name} ${decodeURIComponent(path).slice(0, 40)} ${round}`, path, {
          headers: { accept: path.startsWith('/api') ? 'application/json' : 'text/html' },
        })
    const root = deploymentOf(code, beginCell().storeUint(BigInt(levels), 64).end())
    const address = { kind: 'std', anycast: null, ...root.address } as const
    const message = {
      info: {
        ...({ kind: 'internal', ihrDisabled: true, bounce: false, bounced: false } as const),
        src: address,
        dest: address,
        extraFlags: 0n,
        fwdFee: 0n,
        createdLt: 0n,
        createdAt: 0,
        value: gramsOnly(1_000_000_000n << BigInt(levels)),
      },
      init: fromCell(stateInit(root), loadStateInit),
      initInRef: true,
      body: beginCell().storeUint(BigInt(levels), 8).end(),
      bodyInRef: true,
    }
    const boc = writeBocText(toCell(message, storeMessage))
    const options = {
      with_actions: true,
      include_vm_log: 'all',
      include_code_data: true,
      include_address_book: true,
      include_metadata: true,
    }
    for (const round of ['first', 'again'])
      await step(`${name} emulated ${round}`, '/jsonRPC', call('emulate.trace', { boc, ...options }))
    await Promise.all(
      Array.from({ length: 4 }, () =>
        step(`${name} emulated four times`, '/jsonRPC', call('emulate.trace', { boc, ...options })),
      ),
    )
  }
  for (const socket of sockets) socket.terminate()
  await client.dev.setMining({ mode: 'auto' })
}
