// Requests about keys and plans, as plain values.

import type { Access, Caller, KeyStore, PlanStore, UsageStore } from '../../access/index.ts'
import type { FailureCount } from '../../observe/index.ts'
import type { HttpOptions } from '../httpOptions.ts'

export interface KeysRequest {
  readonly verb: string
  readonly path: string
  readonly query: string
  readonly body: string
  /** That of an operator; empty without one. */
  readonly token: string
  readonly caller: Caller
  /** Whether the caller is a program or page of this machine, or has the token of control. */
  readonly isControl: boolean
}

export interface KeysAnswer {
  readonly status: number
  readonly json: string
}

/** Rejects with ApiError. */
export type KeysService = (request: KeysRequest) => Promise<KeysAnswer>

export interface KeysServiceParts {
  readonly access: Pick<Access, 'peek'>
  readonly keys: KeyStore
  readonly plans: PlanStore
  readonly usage: UsageStore
  readonly options: Pick<HttpOptions, 'adminToken' | 'network' | 'limits'>
  /** Of all processes. */
  readonly failures: () => Promise<readonly FailureCount[]>
}

/** With its value, or as the JSON of a long list. */
export type KeysResult = { readonly status: number; readonly value: unknown } | KeysAnswer
