// The list of all methods, and the description of the one whose form is open: each is read once.

import { useEffect, useState } from 'preact/hooks'
import { METHOD_LIST_PATH, type MethodList, methodPath } from '../../../shared/explorer/methodList.ts'
import { fetchDocument, writtenDocument } from '../documents.ts'
import { wordsFor } from '../pageClient.ts'
import { type Described, type DescribedMethod, type MethodLine, methodsOf } from './methods.ts'

export interface Read<T> {
  readonly value: T | null
  readonly error: string | null
  readonly reload: () => void
}

async function read(path: string): Promise<unknown> {
  const reply = await fetchDocument(path)
  if (!reply.ok) throw new Error(`The service answered ${reply.status}.`)
  return reply.json()
}

// The casts: documents of the service this page came from.
const listIn = (document: unknown): readonly MethodLine[] => (document as MethodList).methods
const methodIn = (document: unknown): DescribedMethod | null => methodsOf(document as Described)[0] ?? null

/** By path; what is kept under a path is what was found in its document. */
const kept = new Map<string, unknown>()

/** What `find` finds in the document at a path: at once in one that the page came with. No document has an empty path. */
function useDocument<T>(path: string, find: (document: unknown) => T | null): Read<T> {
  const [failure, setFailure] = useState<{ readonly path: string; readonly error: string } | null>(null)
  const [, setRound] = useState(0)
  const keep = (document: unknown): boolean => {
    const value = document === null ? null : find(document)
    if (value !== null) kept.set(path, value)
    return value !== null
  }
  if (!kept.has(path)) keep(writtenDocument(path))
  const start = (): void => {
    if (path === '' || kept.has(path)) return
    const take = (document: unknown): void => {
      if (!keep(document)) throw new Error('The service does not describe it.')
      setFailure(null)
      setRound((count) => count + 1)
    }
    read(path)
      .then(take)
      .catch((error: unknown) => setFailure({ path, error: wordsFor(error) }))
  }
  useEffect(start, [path])
  return {
    // The cast: what is kept was found by `find`, of which each path has one.
    value: (kept.get(path) as T | undefined) ?? null,
    error: failure?.path === path ? failure.error : null,
    reload: start,
  }
}

export const useMethodList = (): Read<readonly MethodLine[]> => useDocument(METHOD_LIST_PATH, listIn)

/** Of no method when the name is empty. */
export const useMethod = (name: string): Read<DescribedMethod> => useDocument(name && methodPath(name), methodIn)
