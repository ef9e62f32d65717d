// What a script is made of: parts, each of steps that follow each other in time, each of acts that happen at once.

import type {
  AccountAddress,
  ConfigChange,
  OutgoingMessage,
  PluginOrder,
  StoryValidator,
  WellKnownAccount,
} from '../devchain/index.ts'

export interface Sending extends OutgoingMessage {
  /** `USUAL_MODE` when absent. */
  readonly mode?: number
}

/** One signed message from outside; a wallet does at most one in a step, with as many sendings as its kind takes. */
export type Act =
  | { readonly by: WellKnownAccount; readonly sends: readonly Sending[]; readonly plugin?: PluginOrder }
  /** To accounts that are there, or that need no code to take coins. */
  | { readonly by: 'faucet'; readonly sends: readonly (Sending & { readonly to: AccountAddress })[] }
  | { readonly by: 'config'; readonly change: ConfigChange }

export interface Step {
  /** Seconds that must have passed since the step before; any time will do, and `USUAL_WAIT` is taken, when absent. */
  readonly wait?: number
  readonly acts: readonly Act[]
}

/** The well-known accounts, ten wallets in their order. */
export interface Cast {
  readonly globalId: number
  readonly faucet: WellKnownAccount
  /** `number` is 1 to 10; throws RangeError for another. */
  wallet(number: number): WellKnownAccount
}

export interface Scene {
  readonly cast: Cast
  /** How often the part was played before; tells its contracts from the earlier ones. */
  readonly round: number
  /** Unix seconds: the chain's time before the first step. */
  readonly start: number
  /** Whether domains are sold already, before the part of them is played; no when absent. */
  readonly hasZone?: boolean
}

export interface Part {
  /** As it is chosen by. */
  readonly name: string
  /** What it is about, for a line of progress. */
  readonly title: string
  /** A contract that is there once the round has begun. */
  mark(scene: Scene): AccountAddress
  steps(scene: Scene): readonly Step[]
}

export const USUAL_WAIT = 20

export const waitOf = ({ wait = USUAL_WAIT }: Step): number => wait

const COIN = 1_000_000_000n

/** Nanotons; exact to a millionth of a coin. */
export const coins = (amount: number): bigint => BigInt(Math.round(amount * 1e6)) * (COIN / 1_000_000n)

/** A part that only a chain that begins can play: time or keys are nobody else's. */
export interface StoryPart extends Omit<Part, 'mark' | 'steps'> {
  steps(scene: Scene, validators: readonly StoryValidator[]): readonly Step[]
}

/** A name that is another in each round: `alice`, `alice-2`, `alice-3`. */
export const named = (name: string, round: number): string => (round === 0 ? name : `${name}-${round + 1}`)
