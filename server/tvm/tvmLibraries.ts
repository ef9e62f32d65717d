// Public libraries of a chain: megabytes that strangers add to, of which most runs read nothing.

import { type BocForm, bocToBase64 } from './bocForm.ts'

/** A dictionary of libraries in memory that all threads see. */
export interface TvmLibraries {
  /** Differs between dictionaries. */
  readonly name: string
  readonly shared: Uint8Array
}

export type LibrariesForm = BocForm | TvmLibraries

export const isShared = (libs: LibrariesForm): libs is TvmLibraries => typeof libs === 'object' && 'shared' in libs

/** Takes a bag of cells. To be called once for each dictionary: runs are given it without a copy. */
export function shareLibraries(name: string, boc: Uint8Array): TvmLibraries {
  const shared = new Uint8Array(new SharedArrayBuffer(boc.byteLength))
  shared.set(boc)
  return { name, shared }
}

export const librariesText = (libs: LibrariesForm): string => bocToBase64(isShared(libs) ? libs.shared : libs)

/** In a form that can be posted to a thread. */
export const portableLibraries = (libs: LibrariesForm | null | undefined): LibrariesForm | null =>
  libs == null || isShared(libs) ? (libs ?? null) : bocToBase64(libs)
