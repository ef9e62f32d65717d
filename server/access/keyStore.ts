// Where keys are kept. A file serves one machine; a database takes its place behind the same interface.

import type { Plan } from './access.ts'
import type { IssuedKey, KeyOrder, KeyRecord, KeyRights } from './keyRecord.ts'

/** Between a change by one process and its notice by another, at most this many milliseconds may pass inside a store. */
export const STORE_LAG = 500

/** All keys of all networks. Failures an operator can act on are KeyStoreError. */
export interface KeyStore {
  /** The record of a secret, revoked ones included; null for an unknown one. At most STORE_LAG old. */
  find(hash: string): Promise<KeyRecord | null>
  /** The plan of a record that was found, as of the same moment; null for one that is missing. */
  plan(name: string): Plan | null
  /** Every secret that is kept, from memory: at most STORE_LAG old. */
  known(): Promise<Iterable<Pick<KeyRecord, 'id' | 'allAccounts' | 'expiresAt' | 'revokedAt'>>>
  /** Every secret that is kept, oldest first. */
  list(): Promise<readonly KeyRecord[]>
  /** Issues a key; its secret is in the answer and nowhere else. */
  create(order: KeyOrder): Promise<IssuedKey>
  /** A new secret for an id; older secrets of it end after `overlap` milliseconds. */
  rotate(id: string, overlap: number): Promise<IssuedKey>
  /** Changes all secrets of an id and answers with their records. */
  change(id: string, changes: KeyRights): Promise<readonly KeyRecord[]>
  /** Ends all secrets of an id and answers with their records. */
  revoke(id: string): Promise<readonly KeyRecord[]>
  /** Notes that a secret was used. May be kept in memory for a while; must not fail because of the disk. */
  touch(hash: string, at: number): Promise<void>
  /** Writes what is still in memory; may be called twice. */
  close(): Promise<void>
}
