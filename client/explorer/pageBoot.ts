// What the service wrote into this page, and where the service is.

import { BOOT_ID, type Boot } from '../../shared/explorer/boot.ts'

/** The root of the service: scripts lie in a folder below it, whatever prefix a proxy puts in front. */
export const BASE = new URL('..', import.meta.url)

const EMPTY: Boot = {
  network: 'devnet',
  genesis: null,
  now: null,
  publicUrl: null,
  control: false,
  plugin: null,
  script: null,
  pictures: false,
  replies: {},
  operations: {},
  documents: {},
}

export const boot: Boot = JSON.parse(document.getElementById(BOOT_ID)?.textContent ?? 'null') ?? EMPTY

/** Where other programs reach the service, without a slash at its end. */
export const publicServiceUrl = (boot.publicUrl ?? BASE.href).replace(/\/+$/, '')
