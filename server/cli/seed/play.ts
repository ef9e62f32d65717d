// Plays parts of the demo on a service that runs, from outside: through the public client, with messages signed here and
// blocks made by `dev.mine`.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, isRpcError, TimeoutError, TransportError } from 'tonrpc/client'
import { type ParsedAddress, toRaw } from '../../../shared/address.ts'
import { type Cell, readBoc } from '../../cell/index.ts'
import { actorOf, createCast, demoParts, messageOf, type Scene, type ScriptPart } from '../../demo/index.ts'
import { printable } from '../../process/index.ts'
import { CommandError, noService } from '../commandErrors.ts'

export interface SeedOrder {
  /** Names of parts, in the order they are played. */
  readonly parts: readonly string[]
  readonly times: number
  readonly url: string
  /** Whether steps that are far ahead may move the chain's clock; else they are left out. */
  readonly movesClock: boolean
  readonly controlToken: string
  /** Seconds a step is waited for; what is further off needs the clock to be moved. */
  readonly longestWait: number
  readonly out: (line: string) => void
}

/** Blocks after which no message of a step is pending: there and back between the two chains. */
const BLOCKS_OF_STEP = 3

/** Plays the parts and prints a line for each. Throws CommandError when the service cannot play them. */
export async function play(order: SeedOrder): Promise<void> {
  await playParts(order).catch((error: unknown) => {
    if (error instanceof TransportError && error.reason === 'network') throw noService(order.url, error)
    throw new CommandError(`stopped: ${printable(reasonOf(error))}`, { cause: error })
  })
}

function reasonOf(error: unknown): string {
  if (isRpcError(error) && error.kind === 'methodNotFound') return 'the service there has no embedded chain'
  if (isRpcError(error) && error.kind === 'forbidden') return `${error.message}: see --control-token`
  if (error instanceof TransportError) return `${error.message}: ${error.advice}`
  if (isRpcError(error) || error instanceof TimeoutError) return error.message
  throw error
}

async function playParts({ parts, times, url, movesClock, controlToken, longestWait, out }: SeedOrder): Promise<void> {
  const client = createClient({ url, ...(controlToken ? { headers: { 'x-control-token': controlToken } } : {}) })
  const cast = await castOf(client)
  for (const name of parts) {
    const part = demoParts.find((one) => one.name === name)
    if (part === undefined) continue
    let round = 0
    for (let time = 0; time < times; time++) {
      round = await freeRound(client, part, { cast, round })
      const { steps, of } = await playRound({ client, movesClock, longestWait, out }, part, { cast, round })
      const rest = steps === of ? '' : `; ${of - steps} more only minutes later, or at once with --move-clock`
      out(`${name}: ${part.title}, ${steps} steps, round ${round + 1}${rest}`)
      round++
    }
  }
  if (movesClock) out((await client.dev.resetTime()).note)
}

/** The wallets of the service's chain: some of their addresses depend on its number. */
async function castOf(client: Client): Promise<Scene['cast']> {
  const { head } = await client.dev.state()
  const { workchain, shard, seqno } = head
  const { global_id } = await client.getBlockHeader({ workchain, shard, seqno })
  return createCast(global_id)
}

/** Number of the first round that was not started yet. */
async function freeRound(client: Client, part: ScriptPart, { cast, round }: Omit<Scene, 'start'>): Promise<number> {
  const isFree = async (candidate: number) => {
    const address = toRaw(part.mark({ cast, round: candidate, start: 0 }))
    return (await client.getAddressState({ address })) === 'uninitialized'
  }
  let free = round
  while (!(await isFree(free))) free++
  return free
}

interface Stage extends Pick<SeedOrder, 'movesClock' | 'longestWait' | 'out'> {
  readonly client: Client
}

/** Waits for the time of a step and returns the chain's time; null when that would take too long. */
async function passTime({ client, movesClock, longestWait, out }: Stage, seconds: number): Promise<number | null> {
  if (movesClock) await client.dev.increaseTime({ seconds })
  else if (seconds > longestWait) return null
  else {
    out(`waiting ${seconds} s for the next step`)
    await sleep(seconds * 1000)
  }
  return (await client.dev.mine({ blocks: 1 })).utime
}

/** Plays a round and returns how many of its steps. */
async function playRound(
  stage: Stage,
  part: ScriptPart,
  scene: Omit<Scene, 'start'>,
): Promise<{ readonly steps: number; readonly of: number }> {
  const { client } = stage
  // The newest block shows the time that messages are signed for.
  let { utime } = await client.dev.mine({ blocks: 1 })
  const steps = part.steps({ ...scene, start: utime })
  for (const [done, { wait, acts }] of steps.entries()) {
    const reached: number | null = wait === undefined ? utime : await passTime(stage, wait)
    if (reached === null) return { steps: done, of: steps.length }
    utime = reached
    const signed = acts.map(async (act) => messageOf(act, { data: await dataOf(client, actorOf(act)), utime }))
    const bocs = (await Promise.all(signed)).map((boc) => Buffer.from(boc).toString('base64'))
    await Promise.all(bocs.map((boc) => client.sendBoc({ boc })))
    utime = (await client.dev.mine({ blocks: BLOCKS_OF_STEP })).utime
  }
  return { steps: steps.length, of: steps.length }
}

/** What an account stores; null when it is not deployed. */
async function dataOf(client: Client, account: Pick<ParsedAddress, 'workchain' | 'hash'>): Promise<Cell | null> {
  const { state, data } = await client.getAddressInformation({ address: toRaw(account) })
  return state === 'active' && data !== '' ? readBoc(Buffer.from(data, 'base64')) : null
}
