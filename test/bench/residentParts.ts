// What the memory of a process is made of, by its mappings (Linux), so that growth has a name.

import { readFileSync } from 'node:fs'

/** Megabytes. */
export interface ResidentParts {
  /** Heaps of V8, compiled code, stacks, and buffers of more than 128 kB. */
  readonly heaps: number
  /** What C and C++ allocate, small buffers of JavaScript among it. */
  readonly malloc: number
  /** Memory of WebAssembly: the TVM and the embedded database. */
  readonly wasm: number
  /** Programs and libraries. */
  readonly files: number
}

interface Mapping {
  readonly start: number
  readonly end: number
  readonly isReserved: boolean
  readonly name: string
  readonly kb: number
}

/** Of a thread's allocator: it reserves as much at once, at a multiple of that. */
const ARENA = 64 * 2 ** 20
/** V8 reserves more behind the memory of a WebAssembly module. */
const GUARD = 2 ** 30

function mappingsOf(pid: number): Mapping[] {
  const text = readFileSync(`/proc/${pid}/smaps`, 'latin1')
  const entries = text.matchAll(/^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)\n(?:(?!Rss:).*\n)*?Rss: +(\d+) kB/gm)
  return [...entries].map(([, start = '', end = '', rights, name = '', kb]) => ({
    start: Number.parseInt(start, 16),
    end: Number.parseInt(end, 16),
    isReserved: rights === '---p',
    name,
    kb: Number(kb),
  }))
}

function partOf({ name, start, end }: Mapping, next: Mapping | undefined): keyof ResidentParts {
  if (name.startsWith('/')) return 'files'
  if (name === '[heap]') return 'malloc'
  const behind = next?.isReserved === true && next.start === end ? next.end : end
  if (start % ARENA === 0 && behind - start === ARENA) return 'malloc'
  return behind - end > GUARD ? 'wasm' : 'heaps'
}

export function residentParts(pid: number): ResidentParts {
  const parts = { heaps: 0, malloc: 0, wasm: 0, files: 0 }
  const mappings = mappingsOf(pid)
  for (const [i, mapping] of mappings.entries()) parts[partOf(mapping, mappings[i + 1])] += (mapping.kb * 1024) / 1e6
  return parts
}
