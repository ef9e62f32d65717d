// What comes out: a row per action, the details already as they are shown.

/** JSON, with amounts and other long numbers as digits. */
export type DetailValue =
  | string
  | number
  | boolean
  | null
  | readonly DetailValue[]
  | { readonly [key: string]: DetailValue }
export type ClassifiedDetails = Readonly<Record<string, DetailValue>>

/** Who and what an action is about, across all types: what lists, the address book and metadata look at. */
export interface Roles {
  readonly source?: string | null | undefined
  readonly sourceSecondary?: string | null | undefined
  readonly destination?: string | null | undefined
  readonly destinationSecondary?: string | null | undefined
  readonly asset?: string | null | undefined
  readonly assetSecondary?: string | null | undefined
  readonly asset2?: string | null | undefined
  readonly asset2Secondary?: string | null | undefined
}

export interface ClassifiedAction {
  /** Base64. */
  readonly actionId: string
  readonly type: string
  readonly success: boolean
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  /** Hashes, base64. */
  readonly transactions: readonly string[]
  readonly accounts: readonly string[]
  readonly roles: Roles
  readonly details: ClassifiedDetails
  readonly parentActionId: string | null
  /** Types of the actions it is a part of, outermost first. */
  readonly ancestorTypes: readonly string[]
  /** Of the request inside a message that caused it. */
  readonly parentGaslessAction: string | null
}
