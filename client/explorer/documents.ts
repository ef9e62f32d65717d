// Documents of the service: those the page came with are not fetched again for its first view.

import { BASE, boot } from './pageBoot.ts'

const written = new Map(Object.entries(boot.documents))

/** Texts of documents that the page came with, the first time; null when one of them did not come. */
export function writtenTexts(paths: readonly string[]): readonly string[] | null {
  const found = paths.flatMap((path) => written.get(path) ?? []).filter(({ status }) => status === 200)
  if (found.length < paths.length) return null
  for (const path of paths) written.delete(path)
  return found.map(({ text }) => text)
}

/** What is in a document that the page came with, the first time; null for others. */
export function writtenDocument(path: string): unknown {
  const found = written.get(path)
  written.delete(path)
  return found?.status === 200 ? JSON.parse(found.text) : null
}

/** By its path below the root of the service. */
export async function fetchDocument(path: string, init: RequestInit = {}): Promise<Response> {
  const first = written.get(path)
  written.delete(path)
  return first === undefined
    ? fetch(new URL(path.slice(1), BASE), init)
    : new Response(first.text, { status: first.status })
}
