// The decoders of the operator's script, in a worker of their own: one call at a time, each with a bound in time.

import type { Boot } from '../../../shared/explorer/boot.ts'
import { BASE } from '../pageBoot.ts'
import { toast } from '../parts/Toast.tsx'
import type { DecoderCall, FromPlugin, PluginDecoded, ToPlugin } from './pluginCalls.ts'
import { plugDecoders } from './stored.ts'

type PluginFiles = NonNullable<Boot['plugin']>

/** Of a call, from its begin in the worker. */
const CALL_MS = 50
/** Of loading the script, and of a call until it begins. */
const LOAD_MS = 5_000

export interface PluginOutcome {
  readonly found: PluginDecoded | null
  /** Why there is nothing, when the decoder failed. */
  readonly error: string | null
}

const urlOf = (path: string): string => new URL(path, BASE).href

/** A worker that has loaded the script; null when it could not. */
async function started({ script, worker: path }: PluginFiles): Promise<Worker | null> {
  const worker = new Worker(urlOf(path), { type: 'module' })
  const refused = await new Promise<string | null>((resolve) => {
    setTimeout(() => resolve('it takes too long to load'), LOAD_MS)
    worker.addEventListener('error', () => resolve('it cannot be loaded'), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<FromPlugin>) => {
      if ('refused' in data) resolve(data.refused)
      if (!('loaded' in data)) return
      plugDecoders(data.loaded)
      resolve(null)
    })
    worker.postMessage({ load: urlOf(script) } satisfies ToPlugin)
  })
  if (refused === null) return worker
  worker.terminate()
  toast(`The plugin of this explorer does not work: ${refused}.`)
  return null
}

function run(worker: Worker, call: DecoderCall): Promise<PluginOutcome & { readonly isLate: boolean }> {
  return new Promise((resolve) => {
    const late = () => end({ found: null, error: `it took longer than ${CALL_MS} ms`, isLate: true })
    const onMessage = ({ data }: MessageEvent<FromPlugin>): void => {
      if ('began' in data && data.began === call.id) setTimeout(late, CALL_MS)
      if ('id' in data && data.id === call.id) end({ found: data.found, error: data.error, isLate: false })
    }
    const end = (outcome: PluginOutcome & { readonly isLate: boolean }): void => {
      worker.removeEventListener('message', onMessage)
      resolve(outcome)
    }
    worker.addEventListener('message', onMessage)
    // A script that keeps its worker busy begins no call.
    setTimeout(late, LOAD_MS)
    worker.postMessage({ call } satisfies ToPlugin)
  })
}

let files: PluginFiles | null = null
let worker: Promise<Worker | null> = Promise.resolve(null)
let last: Promise<unknown> = Promise.resolve()
let calls = 0

export function startPlugin(given: PluginFiles): void {
  files = given
  worker = started(given)
}

async function decodeNow(call: Omit<DecoderCall, 'id'>): Promise<PluginOutcome> {
  const ready = await worker
  if (ready === null || files === null) return { found: null, error: null }
  calls++
  const { isLate, ...outcome } = await run(ready, { ...call, id: calls })
  if (isLate) {
    ready.terminate()
    worker = started(files)
  }
  return outcome
}

/** What a decoder makes of a bag of cells. */
export function decodeByPlugin(call: Omit<DecoderCall, 'id'>): Promise<PluginOutcome> {
  const outcome = last.then(() => decodeNow(call))
  last = outcome
  return outcome
}
