// A chain that servers with faults take messages for, in time that is virtual: a chain for a file, clock and pool for each test.

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ServerPool } from '../../../../server/node/pool/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import type { account } from '../../devchain/wallets.ts'
import { VirtualClock } from '../pool/virtualClock.ts'
import { poolOf, type WrappedServer } from '../pool/wrappedServers.ts'

export interface SendScene {
  readonly scene: LiteScene
  readonly clock: VirtualClock
  /** Closed at the end of the test. */
  readonly pool: (servers: readonly WrappedServer[]) => Promise<ServerPool>
  /** While the blocks are read, no message is sent again. */
  readonly transactionsOf: (name: ReturnType<typeof account>) => Promise<number>
}

export function sendScene(seed: number): () => SendScene {
  let scene: LiteScene
  let clock: VirtualClock
  let pools: ServerPool[] = []
  beforeAll(async () => {
    scene = await openScene({ messages: 4, seed })
  })
  afterAll(() => scene.close())
  beforeEach(() => {
    clock = new VirtualClock()
    pools = []
  })
  afterEach(async () => {
    const closing = Promise.all(pools.map((pool) => pool.close()))
    clock.close()
    await closing
  })
  const pool = async (servers: readonly WrappedServer[]): Promise<ServerPool> => {
    const { pool } = await poolOf(clock, servers)
    pools.push(pool)
    return pool
  }
  const transactionsOf = async (name: ReturnType<typeof account>): Promise<number> => {
    const facts = await clock.during(Promise.all(scene.blocks(name.workchain).map((id) => scene.touched(id))))
    const own = facts.flat().filter((one) => Buffer.compare(one.account.hash, name.id) === 0)
    return own.reduce((sum, { lts }) => sum + lts.length, 0)
  }
  return () => ({ scene, clock, pool, transactionsOf })
}
