// A script consists of parts, a part of steps that follow each other in time, a step of acts that happen at once.

import type {
  AccountId,
  ConfigChange,
  OutgoingMessage,
  PluginOrder,
  StoryValidator,
  WellKnownAccount,
} from '../devchain/index.ts'

export interface ScriptSending extends OutgoingMessage {
  /** `USUAL_MODE` when absent. */
  readonly mode?: number
}

/** One signed external message; a wallet sends at most one per step, with as many messages as its kind allows. */
export type Act =
  | { readonly by: WellKnownAccount; readonly sends: readonly ScriptSending[]; readonly plugin?: PluginOrder }
  /** To existing accounts, or to those that need no code to receive TON. */
  | { readonly by: 'faucet'; readonly sends: readonly (ScriptSending & { readonly to: AccountId })[] }
  | { readonly by: 'config'; readonly change: ConfigChange }

export interface ScriptStep {
  /** Minimum seconds since the previous step; when absent there is no minimum, and `USUAL_WAIT` is used. */
  readonly wait?: number
  readonly acts: readonly Act[]
}

/** The well-known accounts: the faucet, and ten wallets in order. */
export interface Cast {
  readonly globalId: number
  readonly faucet: WellKnownAccount
  /** `number` is 1 to 10; throws RangeError for another. */
  wallet(number: number): WellKnownAccount
}

export interface Scene {
  readonly cast: Cast
  /** How often the part was played before; its contracts differ from those of earlier rounds. */
  readonly round: number
  /** Unix seconds: the chain's time before the first step. */
  readonly start: number
  /** Whether the zone of domains exists before their part is played; no when absent. */
  readonly hasZone?: boolean
}

export interface ScriptPart {
  /** Name on the command line. */
  readonly name: string
  /** Shown as progress. */
  readonly title: string
  /** A contract that exists once the round has begun. */
  mark(scene: Scene): AccountId
  steps(scene: Scene): readonly ScriptStep[]
}

export const USUAL_WAIT = 20

export const waitOf = ({ wait = USUAL_WAIT }: ScriptStep): number => wait

const COIN = 1_000_000_000n

/** Nanotons of an amount in TON; exact to a millionth of a TON. */
export const scriptCoins = (amount: number): bigint => BigInt(Math.round(amount * 1e6)) * (COIN / 1_000_000n)

/** A part that only a new chain can play: it needs control of the clock or of the keys. */
export interface StoryPart extends Omit<ScriptPart, 'mark' | 'steps'> {
  steps(scene: Scene, validators: readonly StoryValidator[]): readonly ScriptStep[]
}

/** A name that differs in each round: `alice`, `alice-2`, `alice-3`. */
export const roundName = (name: string, round: number): string => (round === 0 ? name : `${name}-${round + 1}`)
