// How much memory the process may take, and how it is shared out among the heaps of its threads.

import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { groupLimits } from './controlGroups.ts'
import { onFullCollection } from './liveHeap.ts'

/** Megabytes, but for `growthPercent`. */
export interface MemoryPlan {
  /** Of the machine, or what its container leaves of it. */
  readonly total: number
  /** By how much a heap may grow beyond what was found alive in it before it is cleaned up again. */
  readonly growthPercent: number
  /** The heap of a process may grow by so much in any case: a small one that answers long pages reached its percent with every 44th. */
  readonly growth: number
  readonly databaseHeap: number
  /** Of the embedded database, for pages of its files. It takes them when it starts. */
  readonly databasePages: number
  readonly tvmHeap: number
  readonly workerHeap: number
  /** Each half of what a worker process has for what was just made. */
  readonly workerYoungHeap: number
  /** Of each thread, for what was just made. */
  readonly youngHeap: number
  /** Of each process, for decoded bodies of listed messages. */
  readonly decodedTexts: number
}

const MB = 1 << 20
const within = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)))

/** Of the control groups where they have a limit, else of the machine. Bytes. */
export const availableMemory = (limit = groupLimits().memory, machine = totalmem()): number => Math.min(limit, machine)

/** `wantedMb` takes the place of what there is; 0 for that. */
export function planMemory(wantedMb = 0, available = availableMemory()): MemoryPlan {
  const total = wantedMb > 0 ? wantedMb : Math.floor(available / MB)
  return {
    total,
    // V8 allows up to 300, which left 1 GB of garbage uncollected after 15 minutes of ordinary calls.
    growthPercent: within(total / 40, 15, 35),
    growth: within(total / 256, 2, 64),
    databaseHeap: within(total / 16, 96, 256),
    // Entries of indexes by hash fall anywhere: with 32 MB each transaction of a long catch-up read seven pages and wrote as many to make
    // room for them. With 64 it takes a quarter less, for as much memory more; with 128 a third less.
    databasePages: within(total / 64, 32, 64),
    tvmHeap: within(total / 64, 64, 96),
    workerHeap: within(total / 8, 192, 1024),
    // By default it is 16. With 64 callers most of what a page needs was then copied to the old heap before it was sent: cleaning up
    // took half of the processor time.
    workerYoungHeap: within(total / 128, 16, 64),
    youngHeap: within(total / 128, 3, 12),
    // 4 MB have some ten thousand texts. Pages of the messages of 400 sources by turns decoded each body again; with 16 MB they take
    // three quarters of the processor time.
    decodedTexts: within(total / 1024, 4, 16),
  }
}

let current: MemoryPlan | null = null

/** The plan in force; by default that of the machine. */
export function memoryPlan(): MemoryPlan {
  current ??= planMemory()
  return current
}

/** The flag is one for all threads, whose heaps are smaller. */
const MOST_GROWTH_PERCENT = 150

/** By how much a heap in which so many bytes are alive may grow. */
export const growthPercentOf = (
  { growthPercent, growth }: Pick<MemoryPlan, 'growthPercent' | 'growth'>,
  live: number,
): number => within((100 * growth * MB) / live, growthPercent, MOST_GROWTH_PERCENT)

let inForce = 0

function grow(percent: number): void {
  if (percent === inForce) return
  inForce = percent
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/**
 * V8 makes at once in the old heap what a place in the code mostly made to stay: a start does at places where calls make what they
 * throw away. Whatever that refers to stayed with it until the whole heap was searched: of a read over a lite server all cells of
 * its proof, and 30 kB in all.
 */
const makeAllYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring')

/**
 * V8 13, of Node 24, takes 600 MB for a second to compile one large function of the embedded database for speed; versions before and
 * after take less than 30. In less memory than this, WebAssembly stays as it was compiled first.
 */
const LEAST_FOR_SPEED = 1_536

function spareCompiler({ total }: MemoryPlan): void {
  if (Number.parseInt(process.versions.v8, 10) !== 13 || total >= LEAST_FOR_SPEED) return
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}

/** Percent in force; 0 before there is a plan. */
export const heapGrowthPercent = (): number => inForce

/** Takes effect at once for all heaps, those of threads to come included. Call it before any thread is started. */
export function applyMemoryPlan(wantedMb: number): MemoryPlan {
  const plan = planMemory(wantedMb)
  current = plan
  makeAllYoung()
  spareCompiler(plan)
  grow(plan.growthPercent)
  // V8 sets the next bound before it says that it has cleaned up: each percent holds from one collection to the one after the next.
  onFullCollection((live) => grow(growthPercentOf(plan, live)))
  return plan
}
