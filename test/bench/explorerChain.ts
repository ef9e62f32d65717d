// The chain of the benchmarks that use the explorer's pages: the demo, an account of thousands of transactions, a trace of
// thousands, and one of hundreds, which is drawn as a graph.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTolkCompiler } from '@ton/tolk-js'
import { type Client, createClient } from '../../client/index.ts'
import { beginCell, type Cell, readBoc, writeBocText } from '../../server/cell/index.ts'
import { deploymentOf, stateInit } from '../../server/devchain/contracts/index.ts'
import { untilIndexed } from '../setup/untilIndexed.ts'
import { spawnOurs, stop } from './started.ts'

const PAYMENTS = Number(process.env.PAYMENTS ?? 3_000)
const AT_ONCE = 100
/** Levels of trees of messages: 2,047 and 255 transactions. */
const LARGE = 10
const DRAWN = 7
const MOST_BLOCKS = 50

/** Sends two messages to new contracts like itself, while there are levels left. */
const TREE = `
tolk 1.3
struct Branch {
    id: uint64
}
struct Grow {
    levels: uint8
}
fun grow(id: uint64, levels: uint8, value: coins) {
    val message = createMessage({
        bounce: BounceMode.NoBounce,
        value,
        dest: { stateInit: { code: contract.getCode(), data: Branch { id }.toCell() } },
        body: Grow { levels },
    });
    message.send(SEND_MODE_REGULAR);
}
fun onInternalMessage(in: InMessage) {
    val levels = Grow.fromSlice(in.body).levels;
    if (levels == 0) {
        return;
    }
    val id = Branch.fromCell(contract.getData()).id;
    val half = in.valueCoins / 2 - ton("0.02");
    grow(2 * id, levels - 1, half);
    grow(2 * id + 1, levels - 1, half);
}
`

export interface ExplorerChain {
  readonly url: string
  readonly client: Client
  /** Account of thousands of transactions, friendly. */
  readonly busy: string
  /** Hashes of the first transactions of the traces, as in addresses of pages. */
  readonly large: string
  readonly drawn: string
  /** Seqno of the shard's block with the most transactions of the large trace. */
  readonly full: number
  close(): Promise<void>
}

const hexOf = (base64 = ''): string => Buffer.from(base64, 'base64').toString('hex')

export async function treeCode(): Promise<Cell> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'tree.tolk', fsReadCallback: () => TREE })
  if (compiled.status === 'error') throw new Error(compiled.message)
  return readBoc(Buffer.from(compiled.codeBoc64, 'base64'))
}

/** Mines and indexes all that a message causes; the base64 hash of its transaction. */
export async function growTree(client: Client, code: Cell, levels: number): Promise<string> {
  // Numbers that begin with other bits: no contract is in two trees.
  const root = deploymentOf(code, beginCell().storeUint(BigInt(levels), 64).end())
  const to = `0:${Buffer.from(root.address.hash).toString('hex')}`
  await client.dev.sendInternal({
    from: to,
    to,
    value: `${1_000_000_000n << BigInt(levels)}`,
    bounce: false,
    init: writeBocText(stateInit(root)),
    body: writeBocText(beginCell().storeUint(BigInt(levels), 8).end()),
  })
  for (let blocks = 0; blocks < MOST_BLOCKS; blocks += 2) {
    await untilIndexed(client, (await client.dev.mine({ blocks: 2 })).seqno)
    const [trace] = (await client.v3.traces({ account: to, limit: 1 })).traces
    if (trace?.trace_info.transactions === 2 ** (levels + 1) - 1) return trace.trace_id ?? ''
  }
  throw new Error(`the tree has not grown in ${MOST_BLOCKS} blocks`)
}

async function pay(client: Client, from: string, to: string): Promise<void> {
  for (let paid = 0; paid < PAYMENTS; paid += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) =>
      client.dev.sendInternal({ from, to, value: `${1_000_000 + paid + at}`, bounce: false }),
    )
    await Promise.all(some)
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
  }
}

export async function explorerChain(): Promise<ExplorerChain> {
  const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
  const service = await spawnOurs(data, ['--call-ms', '120000'])
  const url = `http://localhost:${service.port}`
  const client = createClient({ url, timeoutMs: 120_000 })
  const close = async () => {
    await stop(service)
    rmSync(data, { recursive: true, force: true })
  }
  try {
    // Waits for the end of the demo.
    await client.dev.mine({ blocks: 1 })
    await client.dev.setMining({ mode: 'manual' })
    const addressOf = async (wanted: string) =>
      (await client.dev.state()).accounts.find(({ name }) => name === wanted)?.friendly ?? ''
    const busy = await addressOf('wallet3')
    const payer = await addressOf('wallet4')
    const code = await treeCode()
    const large = await growTree(client, code, LARGE)
    const drawn = await growTree(client, code, DRAWN)
    await pay(client, payer, busy)
    const { blocks } = await client.v3.blocks({ workchain: 0, limit: 500 })
    const [full] = [...blocks].sort((a, b) => b.tx_count - a.tx_count)
    return { url, client, busy, large: hexOf(large), drawn: hexOf(drawn), full: full?.seqno ?? 0, close }
  } catch (error) {
    await close()
    throw error
  }
}
