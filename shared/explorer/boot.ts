// What the service writes into a page of the explorer for its script.

import type { Network } from '../network.ts'

/** Id of the element that holds it as JSON. */
export const BOOT_ID = 'boot'

export interface Boot {
  readonly network: Network
  /** Where callers reach the service when that was configured; else the page uses its own address. */
  readonly publicUrl: string | null
  /** Whether this page may use the control methods of the embedded chain. */
  readonly control: boolean
  /** Results of the queries of the first view, by their key; a query without one is called by the page. */
  readonly replies: Readonly<Record<string, unknown>>
}
