// What a lite server of the network answers to questions that cannot be answered: the same codes and the same words here,
// because clients decide by them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell, loadProof, openCell, readBocRoots, writeBoc } from '../../../../server/cell/index.ts'
import { type BlockIdExt, LiteError, MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { loadShardState, outQueueOf } from '../../../../server/tlb/index.ts'
import { account, external } from '../wallets.ts'
import { type LiteScene, openScene } from './liteScene.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 23 })
})
afterAll(() => scene.close())

const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof LiteError ? `${error.code} ${error.message}` : `no refusal: ${String(error)}`
}

const upper = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
const fullName = ({ workchain, seqno, rootHash, fileHash }: BlockIdExt): string =>
  `(${workchain},8000000000000000,${seqno}):${upper(rootHash)}:${upper(fileHash)}`
const other = new Uint8Array(32).fill(3)
const someone = { workchain: 0, hash: other }
const master = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
const base = { workchain: 0, shard: WHOLE_SHARD }
const FAR = 1n << 60n

type Row = (scene: LiteScene, head: BlockIdExt) => readonly [work: Promise<unknown>, refusal: string]
const ahead = (seqno: number): string => ` (last known masterchain block: ${seqno})`
const outOfSync = (seqno: number): string => ` (possibly out of sync: shard_client_seqno=${seqno} ls_seqno=${seqno})`

const rows: Record<string, Row> = {
  'a look-up of seqno 0': ({ lite }) => [
    lite.lookup({ ...master, seqno: 0 }),
    '651 cannot find block (-1,8000000000000000) seqno=0: ltdb: block not found, seqno not in db',
  ],
  'a look-up of the future by seqno': ({ lite }, { seqno }) => [
    lite.lookup({ ...master, seqno: 9999 }),
    `651 cannot find block (-1,8000000000000000) seqno=9999: ltdb: block not found, seqno not in db${ahead(seqno)}`,
  ],
  'a look-up of the future by lt': ({ lite }, { seqno }) => [
    lite.lookup({ ...master, lt: FAR }),
    `651 cannot find block (-1,8000000000000000) lt=${FAR}: ltdb: block not found, lt not in db${ahead(seqno)}`,
  ],
  'a look-up of the future by time': ({ lite }, { seqno }) => [
    lite.lookup({ ...master, utime: 0xffff_ffff }),
    `651 cannot find block (-1,8000000000000000) utime=4294967295: ltdb: block not found, ts not in db${ahead(seqno)}`,
  ],
  'a look-up of the future in the shard': ({ lite }, { seqno }) => [
    lite.lookup({ ...base, seqno: 9999 }),
    `651 cannot find block (0,8000000000000000) seqno=9999: ltdb: block not found, seqno not in db${outOfSync(seqno)}`,
  ],
  'a look-up in another workchain': ({ lite }) => [
    lite.lookup({ workchain: 7, shard: WHOLE_SHARD, seqno: 1 }),
    '651 cannot find block (7,8000000000000000) seqno=1: seqno not in db',
  ],
  'a block of the future': ({ lite }, head) => [
    lite.block({ ...head, seqno: 9999 }),
    `651 block handle not in db${ahead(head.seqno)}`,
  ],
  'the header of a block of the future': ({ lite }, head) => [
    lite.header({ ...head, seqno: 9999 }),
    `651 block handle not in db${ahead(head.seqno)}`,
  ],
  'a block by another hash': ({ lite }, head) => [
    lite.block({ ...head, rootHash: other }),
    '651 block handle not in db',
  ],
  'a block without hashes': ({ lite }, head) => [
    lite.block({ ...head, rootHash: new Uint8Array(32) }),
    '-400 invalid BlockIdExt',
  ],
  ...Object.fromEntries(
    (['accountState', 'config', 'shards', 'listTransactions'] as const).map((verb) => [
      `${verb} as of a block of the future`,
      ({ lite }: LiteScene, head: BlockIdExt) => {
        const id = { ...head, seqno: 9999 }
        const calls = {
          accountState: () => lite.accountState(id, someone),
          config: () => lite.config(id, 'all'),
          shards: () => lite.shards(id),
          listTransactions: () => lite.listTransactions(id, { count: 1 }),
        }
        return [
          calls[verb](),
          `651 cannot load block ${fullName(id)} : block handle not in db${ahead(head.seqno)}`,
        ] as const
      },
    ]),
  ),
  'a whole state that may be large': ({ lite }, head) => [
    lite.state({ ...head, seqno: 1001 }),
    '-400 cannot request total state: possibly too large',
  ],
  'an account of another chain than the block': ({ lite, chain }) => [
    lite.accountState(chain.head().shard?.id ?? chain.head().master.id, { workchain: MASTERCHAIN, hash: other }),
    '-400 reference block for a getAccountState() must belong to the masterchain',
  ],
  'a transaction of another chain than the block': ({ lite }, head) => [
    lite.oneTransaction(head, { account: someone, lt: 1n }),
    '-400 requested account id is not contained in the shard of the specified block',
  ],
  'a get-method with an unknown part': ({ lite }, head) => [
    lite.runMethod(head, { account: someone, methodId: 1, params: new Uint8Array(), mode: 64 }),
    '-400 unsupported mode in runSmcMethod',
  ],
  'a get-method with too many bytes': ({ lite }, head) => [
    lite.runMethod(head, { account: someone, methodId: 1, params: new Uint8Array(65_536), mode: 4 }),
    '-400 more than 64k parameter bytes passed',
  ],
  'transactions from a time no block has': ({ lite }, { seqno }) => [
    lite.transactions({ account: someone, lt: FAR, hash: other, count: 1 }),
    `-400 cannot compute block with specified transaction: cannot find block (0,0303030303030303) lt=${FAR}: ` +
      `ltdb: block not found, lt not in db${outOfSync(seqno)}`,
  ],
  'transactions of another workchain': ({ lite }) => [
    lite.transactions({ account: { workchain: 9, hash: other }, lt: 5n, hash: other, count: 1 }),
    '-400 cannot compute block with specified transaction: cannot find block (9,0303030303030303) lt=5: lt not in db',
  ],
  'a message that is none': ({ lite }) => [
    lite.send(Buffer.from('garbage')),
    '0 cannot apply external message to current state : cannot deserialize bag-of-cells: invalid header, error 0',
  ],
  'a message to an absent account': ({ lite }) => [
    lite.send(writeBoc(external(account(77), beginCell().end()))),
    '0 cannot apply external message to current state : Failed to unpack account state',
  ],
  'a message to a workchain that is not there': ({ lite }) => [
    lite.send(writeBoc(external(account(77, 5), beginCell().end()))),
    `651 cannot apply external message to current state : no shard in masterchain state for account 5:0x${upper(account(77, 5).id)}`,
  ],
  'the configuration as of a shard block': ({ lite, chain }) => [
    lite.config(chain.head().shard?.id ?? chain.head().master.id, 'all'),
    '-400 configuration parameters can be loaded with respect to a masterchain block only',
  ],
  'a chain of trust from an unknown block': ({ lite }, head) => [
    lite.blockProof({ ...head, rootHash: other }, null),
    `-400 proof source masterchain block ${fullName({ ...head, rootHash: other })} is unknown from the perspective of ` +
      `reference block ${fullName(head)}`,
  ],
  'a chain of trust to an unknown block': ({ lite }, head) => [
    lite.blockProof(head, { ...head, seqno: 1 }),
    `-400 proof destination masterchain block ${fullName({ ...head, seqno: 1 })} is unknown from the perspective of ` +
      `reference block ${fullName(head)}`,
  ],
  'a chain of trust to the future': ({ lite }, head) => [
    lite.blockProof(head, { ...head, seqno: 9999 }),
    `-400 client knows block ${fullName({ ...head, seqno: 9999 })} newer than the reference masterchain block ${fullName(head)}`,
  ],
  'no rows of the statistics': ({ lite }, head) => [
    lite.validatorStats(head, { limit: 0 }),
    '-400 requested entry count limit must be positive',
  ],
  'no accounts of the dispatch queue': ({ lite }, head) => [
    lite.dispatchQueues(head, { count: 0 }),
    '-400 invalid max_accounts',
  ],
}

test.each(Object.keys(rows))('error: %s', async (name) => {
  const row = rows[name]
  if (row === undefined) throw new Error('there is no such row')
  const [work, refusal] = row(scene, scene.chain.head().master.id)
  expect(await refusalOf(work)).toBe(refusal)
})

test('error: parameters of a get-method that are no bag of cells', async () => {
  const head = scene.chain.head().master.id
  expect(
    await refusalOf(scene.lite.runMethod(head, { account: someone, methodId: 1, params: Uint8Array.of(1), mode: 4 })),
  ).toMatch(/^-400 cannot deserialize parameter list boc: \[Error : 0 : cannot deserialize bag-of-cells: /)
})

test('behavior: what looks odd and is answered all the same', async () => {
  const { lite, chain } = scene
  const head = chain.head().master.id
  expect((await lite.lookup({ workchain: 0, shard: 0n, seqno: 1 })).id).toMatchObject({ workchain: 0, seqno: 1 })
  for (const mark of [{ lt: 1n }, { utime: 1 }]) expect((await lite.lookup({ ...master, ...mark })).id.seqno).toBe(1)
  expect((await lite.transactions({ account: someone, lt: 0n, hash: other, count: 0 })).ids).toEqual([])
  expect(await lite.listTransactions(head, { count: 0 })).toMatchObject({ incomplete: true, ids: [] })
  expect(await lite.libraries(Array.from({ length: 17 }, (_, i) => new Uint8Array(32).fill(i)))).toEqual([])
  const far = await lite.accountState(head, { workchain: 5, hash: other })
  expect(far.shardBlock).toMatchObject({ workchain: -0x8000_0000, shard: 0n, seqno: 0 })
  expect(far.shardProof.length).toBeGreaterThan(0)
  expect([far.proof.length, far.state.length]).toEqual([0, 0])
})

test('behavior: dispatch queues are empty, and that is proven', async () => {
  const { lite, chain } = scene
  const ids = [chain.head().master.id, chain.head().shard?.id].flatMap((id) => id ?? [])
  expect(ids).toHaveLength(2)
  for (const id of ids) {
    const queues = await lite.dispatchQueues(id, { count: 10, after: other, wantProof: true })
    expect(queues).toMatchObject({ mode: 3, id, queues: [], complete: true })
    const query = { account: other, afterLt: 0n, count: 10, onlyThisAccount: true, wantProof: true, wantBodies: true }
    const messages = await lite.dispatchMessages(id, query)
    expect(messages).toMatchObject({ mode: 7, id, messages: [], complete: true, bodies: new Uint8Array() })
    for (const { proof } of [queues, messages]) {
      const root = readBocRoots(proof)[1]
      if (root === undefined) throw new Error('a proof of the state is expected')
      const { dispatchQueue } = outQueueOf(loadShardState(openCell(loadProof(root)))).extra ?? {}
      expect(dispatchQueue === undefined || dispatchQueue.root === null).toBe(true)
    }
    expect((await lite.dispatchQueues(id, { count: 10 })).proof).toHaveLength(0)
  }
})
