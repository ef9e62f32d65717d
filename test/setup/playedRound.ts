// One round of the validators with a pool, its stakes, a complaint and the TON that are taken out, played on the chain of a
// running service.

import { Address, Cell } from '@ton/core'
import {
  poolDepositBody,
  poolNoteValidatorSetBody,
  poolPayRequestedBody,
  poolRecoverStakeBody,
  poolStakeBody,
  poolValidatorDepositBody,
  poolWithdrawBody,
} from '../../server/demo/contracts/index.ts'
import {
  complaintHash,
  electorComplaintBody,
  electorRecoverBody,
  electorStakeBody,
  electorVoteBody,
} from '../../server/devchain/index.ts'
import { own } from '../server/devchain/actor.ts'
import type { TestService } from './service.ts'
import { COIN, ELECTOR, StakingRound } from './stakingRound.ts'

const account = (workchain: number, byte: string): string => `${workchain}:${byte.repeat(32)}`
export const [OWNER, W2, W3, POOL] = ['AA', 'A2', 'A3', 'BB'].map((byte) => account(-1, byte)) as [
  string,
  string,
  string,
  string,
]
export const [N1, N2, N3] = ['01', '02', '03'].map((byte) => account(0, byte)) as [string, string, string]
/** Fees of blocks come from here. */
const UNUSED = account(-1, '00')
/** Seconds: when the second set takes over. */
export const SECOND = 2100
const DESCRIPTION = 'te6cckEBAgEACQABCGVT9IQBAAC1hDhE'
/** The price of the complaint. */
export const PAID = 1_004_792_320n
const EMPTY = Cell.EMPTY.toBoc().toString('base64')

const idOf = (address: string): Buffer => Buffer.from(address.slice(-64), 'hex')
const addressOf = (address: string): Address => Address.parseRaw(address)

interface Stake {
  readonly at: number
  readonly from: string
  readonly coins: bigint
  readonly key: number
  readonly election?: number
  readonly query?: bigint
  readonly factor?: number
  readonly isForged?: boolean
}

/** What the elector, the pool and the lists held on the way. */
export interface Seen {
  readonly round: StakingRound
  readonly announced: readonly unknown[]
  readonly total: bigint
  readonly conducted: { readonly past: readonly unknown[]; readonly credits: readonly bigint[] }
  readonly pending: unknown
  readonly early: readonly (number | null)[]
  readonly bonuses: bigint
  readonly halfVoted: unknown
  readonly fined: { readonly past: readonly unknown[]; readonly credit: bigint; readonly grams: bigint }
  readonly switched: { readonly past: readonly unknown[]; readonly grams: bigint }
  readonly freed: {
    readonly credits: readonly bigint[]
    readonly grams: bigint
    readonly elections: readonly unknown[]
  }
}

/** Plays it; the service's chain is new. */
export async function playRound(service: TestService): Promise<Seen> {
  const round = await StakingRound.begin(service)
  const { client, start } = round
  const ID = start + 900
  const elector = round.elector()
  const toPool = (at: number, from: string, value: bigint, body: ReturnType<typeof poolDepositBody>) =>
    round.post(at, { from, to: POOL, value, body })
  const stake = ({ at, from, coins, key, election = ID, query = 21n, ...more }: Stake) => {
    const offer = round.offer({ electAt: election, holder: from, key, ...more })
    return round.post(at, { from, to: ELECTOR, value: coins * COIN, body: electorStakeBody(query, offer) })
  }
  const past = async () =>
    (await elector.getPastElections()).map(({ id, unfreezeAt, totalStake, bonuses }) => [
      id - start,
      unfreezeAt - start,
      totalStake,
      bonuses,
    ])
  const credit = async (address: string) => (await elector.getReturnedStake(addressOf(address))) ?? 0n
  const exitOfPool = async () => {
    await round.indexed()
    const [last] = (await client.v3.transactions({ account: [POOL], limit: 1 })).transactions
    const phase = last?.description.compute_ph
    return phase?.skipped === false ? phase.exit_code : null
  }

  await round.placePool(POOL, OWNER)
  const wallet = { balance: String(20_000n * COIN), code: EMPTY, data: EMPTY }
  for (const address of [W2, W3]) await client.dev.setAccount({ address, ...wallet })
  await round.blocks(0, 1)
  await toPool(0, OWNER, 5001n * COIN, poolValidatorDepositBody(1n))
  await toPool(0, N1, 1_001_000_000_007n, poolDepositBody())
  await toPool(0, N2, 2_001_000_000_011n, poolDepositBody())
  await toPool(0, N3, 3_001_000_000_013n, poolDepositBody())
  const election = await elector.getElectionEntities()
  const announced = [election?.startWorkTime, election?.endElectionsTime, election?.minStake, election?.entities.length]

  await stake({ at: 60, from: W2, coins: 5001n, key: 2, isForged: true })
  await stake({ at: 60, from: W2, coins: 5001n, key: 2, election: ID + 1 })
  await stake({ at: 60, from: W2, coins: 901n, key: 2 })
  await stake({ at: 60, from: W2, coins: 5001n, key: 2, factor: 65_535 / 65_536 })
  await stake({ at: 60, from: W2, coins: 5001n, key: 2 })
  await stake({ at: 60, from: W3, coins: 5001n, key: 2 })
  await stake({ at: 60, from: W3, coins: 2001n, key: 3, query: 0n })
  await stake({ at: 60, from: W2, coins: 2501n, key: 2 })
  const poolOffer = round.offer({ electAt: ID, holder: POOL, key: 1 })
  await toPool(60, OWNER, COIN, poolStakeBody(31n, 10_001n * COIN, poolOffer))
  const total = (await elector.getElectionEntities())?.allStakes ?? 0n

  await round.blocks(599, 1)
  await round.blocks(600, 4)
  const conducted = { past: await past(), credits: await Promise.all([W3, W2, POOL].map(credit)) }
  await stake({ at: 600, from: W2, coins: 5001n, key: 2 })
  await toPool(600, N2, 501n * COIN, poolDepositBody())
  await toPool(600, N3, COIN, poolWithdrawBody())
  await round.indexed()
  const pending = await client.v3.staking.nominatorPools.pool({ pool: POOL })

  await round.blocks(900, 4)
  await toPool(900, N1, COIN, poolNoteValidatorSetBody(1n))
  for (const value of [100n * COIN, 23_456_789_000n])
    await round.post(900, { from: UNUSED, to: ELECTOR, value, body: own(Cell.EMPTY) })
  const bonuses = (await elector.getPastElections())[0]?.bonuses ?? 0n
  const early = []
  await toPool(1000, N1, COIN, poolRecoverStakeBody(70n))
  early.push(await exitOfPool())

  const accused = (key: number) => ({
    publicKey: Buffer.from(round.publicKeys[key - 1] ?? '', 'hex'),
    description: own(Cell.fromBase64(DESCRIPTION)),
    severity: 1,
    fine: 101n * COIN,
  })
  const complain = (key: number) =>
    round.post(1000, { from: W3, to: ELECTOR, value: 300n * COIN, body: electorComplaintBody(41n, ID, accused(key)) })
  await complain(2)
  await complain(2)
  await complain(3)
  const record = { createdAt: start + 1000, rewardTo: { workchain: -1, hash: idOf(W3) }, paid: PAID }
  const vote = (index: number) => {
    const signed = {
      electionId: ID,
      complaint: complaintHash(accused(2), record),
      index,
      sign: round.signer(index + 1),
    }
    return round.post(1000, { from: N1, to: ELECTOR, value: COIN, body: electorVoteBody(51n, signed) })
  }
  await vote(1)
  await vote(1)
  await round.indexed()
  const [halfVoted] = (await client.v3.validators.complaints({ election_id: ID })).complaints
  await vote(0)
  const fined = { past: await past(), credit: await credit(W3), grams: await round.grams() }

  await round.blocks(1200, 2)
  await stake({ at: 1260, from: W3, coins: 6001n, key: 3, election: start + SECOND })
  await round.blocks(1800, 4)
  await round.blocks(SECOND, 4)
  const switched = { past: await past(), grams: await round.grams() }
  await toPool(SECOND, N1, COIN, poolNoteValidatorSetBody(2n))

  await round.blocks(2281, 1)
  const freed = {
    credits: await Promise.all([POOL, W2].map(credit)),
    grams: await round.grams(),
    elections: (await elector.getPastElectionsList()).map(({ id }) => id - start),
  }
  await toPool(2340, N1, COIN, poolRecoverStakeBody(70n))
  early.push(await exitOfPool())
  // What the public pool takes for gas and the message, of the coin that comes with the request.
  await round.setForwardPrice(2341, 141_470_000n)
  await round.post(2341, { from: N1, to: POOL, value: COIN, body: poolRecoverStakeBody(71n) })
  await round.setForwardPrice(2341, 0n)
  for (const from of [W2, W2, W2.replace('-1:', '0:')])
    await round.post(2341, { from, to: ELECTOR, value: COIN, body: electorRecoverBody(72n) })
  // As the masterchain charges for a message without a body.
  await round.setForwardPrice(2341, 10_000_000n)
  await toPool(2341, N1, COIN, poolPayRequestedBody(73n, 10))
  await round.blocks(2341, 1)
  await round.indexed()
  return { round, announced, total, conducted, pending, early, bonuses, halfVoted, fined, switched, freed }
}
