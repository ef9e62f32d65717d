// A chain that has seen some life, and its lite server: transfers, deploys, traffic with the masterchain, libraries, and a
// configuration that was changed twice.

import { beginCell, openCell, writeBoc } from '../../../../server/cell/index.ts'
import { configOwnerKey } from '../../../../server/devchain/accounts/index.ts'
import { createSigner } from '../../../../server/devchain/accounts/signing.ts'
import { configRequest } from '../../../../server/devchain/contracts/index.ts'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createDevchainLiteServer, type DevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import { type AccountId, type BlockIdExt, MASTERCHAIN } from '../../../../server/node/index.ts'
import { accountBlocksOf, blockExtraOf, loadBlock } from '../../../../server/tlb/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { play, prepare } from '../traffic.ts'

export interface LiteScene {
  readonly chain: Devchain
  readonly lite: DevchainLiteServer
  readonly pool: TvmPool
  /** Every block of both chains, oldest first, without the zerostates. */
  blocks(workchain: number): readonly BlockIdExt[]
  /** Accounts with a transaction in a block, and its logical times. */
  touched(id: BlockIdExt): Promise<readonly { readonly account: AccountId; readonly lts: readonly bigint[] }[]>
  close(): Promise<void>
}

/** Sets an unused parameter, which makes the next masterchain block a key block. */
export async function makeKeyBlock(chain: Devchain, seqno: number): Promise<void> {
  const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
  const change = { kind: 'parameter', index: 1000 + seqno, value: beginCell().storeUint(seqno, 32).end() } as const
  const validUntil = chain.reader.moment().master.utime + 1000
  await chain.send(writeBoc(configRequest({ change, seqno, validUntil, sign })))
}

export async function touchedIn(chain: Devchain, id: BlockIdExt) {
  const facts = chain.reader.byId(id)
  if (facts === undefined) throw new Error('There is no such block')
  const root = await (await chain.reader.block(facts)).root()
  const blocks = accountBlocksOf(blockExtraOf(loadBlock(openCell(root))))
  return [...blocks].map(([hash, { transactions }]) => ({
    account: { workchain: id.workchain, hash },
    lts: [...transactions.keys()],
  }))
}

/** Every block of one of the chains, oldest first. */
export function blocksOf(
  { head, reader }: Pick<Devchain, 'head' | 'reader'>,
  workchain: number,
): readonly BlockIdExt[] {
  const newest = workchain === MASTERCHAIN ? head().master.id.seqno : (head().shard?.id.seqno ?? 0)
  return Array.from({ length: newest }, (_, i) => reader.bySeqno(workchain, i + 1)?.id).flatMap((id) => id ?? [])
}

export async function openScene(options: { readonly messages: number; readonly seed: number }): Promise<LiteScene> {
  const chain = await openDevchain({ idleBlockMs: 3_600_000 })
  const pool = await createTvmPool({ workers: 1 })
  const lite = createDevchainLiteServer(chain, { pool })
  const scene = await prepare(chain, 8)
  const half = Math.ceil(options.messages / 2)
  await play(chain, scene, { count: half, seed: options.seed })
  await makeKeyBlock(chain, 0)
  await play(chain, scene, { count: half, seed: options.seed + 1 })
  await makeKeyBlock(chain, 1)
  await chain.control.mine(2)
  return {
    chain,
    lite,
    pool,
    blocks: (workchain) => blocksOf(chain, workchain),
    touched: (id) => touchedIn(chain, id),
    async close() {
      lite.close()
      await pool.close()
      await chain.close()
    },
  }
}
