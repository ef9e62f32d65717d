// The list of all methods, and the description of the one whose form is open: each is read once.

import { useEffect, useState } from 'preact/hooks'
import { METHOD_LIST_PATH, type MethodList, methodPath } from '../../../shared/explorer/methodList.ts'
import { fetchDocument } from '../documents.ts'
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
const listOf = async (): Promise<readonly MethodLine[]> => ((await read(METHOD_LIST_PATH)) as MethodList).methods

async function describe(name: string): Promise<DescribedMethod> {
  const [method] = methodsOf((await read(methodPath(name))) as Described)
  if (method === undefined) throw new Error(`The service does not describe ${name}.`)
  return method
}

/** By key; what is kept under a key is what its `load` found. */
const kept = new Map<string, unknown>()

/** What `load` found for the key. */
function useRead<T>(key: string, load: () => Promise<T>): Read<T> {
  const [failure, setFailure] = useState<{ readonly key: string; readonly error: string } | null>(null)
  const [, setRound] = useState(0)
  const start = (): void => {
    if (key === '' || kept.has(key)) return
    load().then(
      (value) => {
        kept.set(key, value)
        setFailure(null)
        setRound((count) => count + 1)
      },
      (error: unknown) => setFailure({ key, error: wordsFor(error) }),
    )
  }
  useEffect(start, [key])
  return {
    // The cast: `load` belongs to the key.
    value: (kept.get(key) as T | undefined) ?? null,
    error: failure?.key === key ? failure.error : null,
    reload: start,
  }
}

export const useMethodList = (): Read<readonly MethodLine[]> => useRead('list', listOf)

/** Of no method when the name is empty. */
export const useMethod = (name: string): Read<DescribedMethod> =>
  useRead(name && `method ${name}`, () => describe(name))
