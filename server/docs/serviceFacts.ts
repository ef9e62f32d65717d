import type { Network } from '../../shared/network.ts'

/** Facts of the running service for the documents. Nothing in here is secret. */
export interface ServiceFacts {
  readonly title: string
  readonly versions: { readonly v2: string; readonly v3: string }
  /** The chain this process serves. */
  readonly network: Network
  /** Bounds in force, by name, e.g. `batchItems: 100`; documents print them unchanged. */
  readonly limits: Readonly<Record<string, number | string>>
  /** Where callers reach the service, without a path; left out when only the caller knows. */
  readonly publicUrl?: string | undefined
  /** Whether the explorer is at `/`; left out it is. */
  readonly explorer?: boolean | undefined
  /** Addresses of the same service for other networks. */
  readonly networks?: Readonly<Partial<Record<Network, string>>> | undefined
}

/** The public address without a slash at its end, or undefined. */
export const publicOrigin = (facts: ServiceFacts): string | undefined => facts.publicUrl?.replace(/\/+$/, '')
