// A pool of lite servers with faults for each test: its clock stands still until it is moved, and all is closed afterwards.

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { MASTERCHAIN } from '../../../../server/node/index.ts'
import type { ServerPool } from '../../../../server/node/pool/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { VirtualClock } from './virtualClock.ts'
import { poolOf, WrappedServer } from './wrappedServers.ts'

export function poolScene(scene: () => LiteScene) {
  let clock = new VirtualClock()
  let open: ServerPool[] = []
  beforeEach(() => {
    clock = new VirtualClock()
    open = []
  })
  afterEach(async () => {
    const closing = open.map((pool) => pool.close())
    clock.close()
    await Promise.all(closing)
  })
  return {
    clock: () => clock,
    serversOf: (count: number): WrappedServer[] =>
      Array.from({ length: count }, (_, i) => new WrappedServer(`server${i}`, scene(), clock)),
    async opened(...args: Parameters<typeof poolOf>) {
      const made = await poolOf(...args)
      open.push(made.pool)
      return made
    },
    blockAt(seqno: number) {
      const id = scene().blocks(MASTERCHAIN)[seqno - 1]
      if (id === undefined) throw new Error('there is no such block')
      return id
    },
  }
}

/** The same over one chain of a few messages for all tests of a file. */
export function poolOfFewMessages() {
  let scene: LiteScene
  beforeAll(async () => {
    scene = await openScene({ messages: 8, seed: 3 })
  })
  afterAll(() => scene.close())
  return { ...poolScene(() => scene), newest: () => scene.blocks(MASTERCHAIN).length }
}

export const stateOf = (pool: ServerPool) => Object.fromEntries(pool.servers.map(({ name, state }) => [name, state]))
